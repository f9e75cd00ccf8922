import type { Json } from "@plasm/core";
import { listRows } from "../decode/collection.ts";
import { decodeRow } from "../decode/decode-row.ts";
import type { EntityRow } from "../decode/entity-row.ts";
import { nothingSelected } from "../decode/nothing-selected.ts";
import { firstPage, pageParameters } from "../paging/first-page.ts";
import { nextPage } from "../paging/next-page.ts";
import type { PageState } from "../paging/page-state.ts";
import { FIXED } from "../limits/limits.ts";
import { rowScope } from "../overlays/row-scope.ts";
import { requireCallable, rewriteToBackend } from "../request/effective-backend.ts";
import type { Call } from "../request/environment.ts";
import { withPageParameters } from "../request/page-parameters.ts";
import { RunFailure } from "../run-failure.ts";
import type { Engine } from "./engine.ts";
import type { Site } from "./feed.ts";
import {
  type ListPages,
  type ListState,
  openPages,
  type PageRead,
  type PageSource,
} from "./list-pages.ts";
import {
  type Answer,
  performRead,
  type PreparedCall,
  prepareCall,
  withoutCredentialKey,
} from "./perform-read.ts";
import { checkMarkers, naming } from "./read-get.ts";

/** What a list is read with. */
export interface ListCall {
  readonly engine: Engine;
  readonly feed: Site;
  readonly call: Call;
  /** after how many pages it is cut, apart from budgets */
  readonly mostPages?: number;
  /** sees the body of each page as it came */
  readonly onBody?: (body: Json) => void;
}

interface Reading extends ListCall {
  prepared: PreparedCall | null;
}

async function askPage(list: Reading, page: PageState): Promise<Answer> {
  const { engine, feed, call } = list;
  list.prepared ??= prepareCall(engine, call);
  const { pagination } = call.template;
  const { description } = list.prepared;
  if (pagination === undefined) return performRead(engine, feed.id, list.prepared, description);
  if (page.url !== null) {
    const alone = { ...description, query: [] };
    return performRead(engine, feed.id, list.prepared, alone, page.url);
  }
  const parameters = pageParameters(pagination, page);
  const paged = withPageParameters(description, pagination, parameters);
  return performRead(engine, feed.id, list.prepared, paged);
}

function decodePage(list: Reading, answer: Answer): { wire: readonly Json[]; rows: EntityRow[] } {
  const { engine, feed, call, prepared } = list;
  if (prepared === null) throw new Error("a list without request");
  const { ambient } = prepared.environment;
  const { entity, statics } = rowScope(call.catalog, call.capability, ambient);
  const { provides } = call.capability;
  const wire = naming(answer, () => {
    checkMarkers(engine, feed, call, answer, true);
    const { template } = call;
    const found = listRows(template.response, answer.body, prepared.environment.rest, feed.log);
    return found.filter((row) => !nothingSelected(template, row));
  });
  const rows = wire.map((item, index) =>
    decodeRow({ catalog: call.catalog, log: feed.log }, item, {
      entity,
      statics,
      provides: provides === undefined ? null : new Set(provides),
      ambient,
      requested: null,
      index,
    }),
  );
  return { wire, rows };
}

/** Says that a list ends here, with what it has, since its next page may not be read (RUN-074). */
function refused(list: Reading, state: PageState, why: RunFailure): PageState {
  list.feed.log.add("origin_refused", why.message);
  list.feed.mark("origin_refused");
  return { ...state, url: null, ended: true };
}

/** A next URL goes only where the catalog may call; else the list ends with what it has (RUN-074). */
async function checkedState(list: Reading, state: PageState): Promise<PageState> {
  if (state.url === null) return state;
  const party = await list.engine.party(list.call.catalog.entryId, list.feed.id);
  const { backend } = party;
  // Sent anew with each request, and kept out of cursors.
  const bare = new URL(withoutCredentialKey(state.url, party));
  bare.username = "";
  bare.password = "";
  const url = rewriteToBackend(bare, backend);
  try {
    requireCallable(url, backend, "The next page");
    return { ...state, url: url.href };
  } catch (error) {
    if (!(error instanceof RunFailure)) throw error;
    return refused(list, state, error);
  }
}

/** Asks a page, or gives why a next URL leads where no request may go: known only on the way (RUN-140). */
async function askNext(list: Reading, page: PageState): Promise<Answer | RunFailure> {
  try {
    return await askPage(list, page);
  } catch (error) {
    const led = page.url !== null && error instanceof RunFailure;
    if (led && error.failure.code === "origin_refused") return error;
    throw error;
  }
}

async function readPage(list: Reading, page: PageState): Promise<PageRead> {
  const { feed, call } = list;
  const answer = await askNext(list, page);
  if (answer instanceof RunFailure) {
    return { rows: [], next: refused(list, page, answer), bytes: 0, repeated: false };
  }
  list.onBody?.(answer.body);
  const { wire, rows } = decodePage(list, answer);
  const facts = {
    body: answer.body,
    linkHeader: answer.linkHeader,
    requestUrl: answer.url,
    rowCount: wire.length,
    identities: rows.map((row) => row.identity?.text ?? null),
  };
  const next = nextPage(call.template.pagination, page, facts, feed.log, FIXED.emptyPages);
  const state = await checkedState(list, next.state);
  return { rows, next: state, bytes: answer.bytes, repeated: next.repeated };
}

/** Opens a list at its first page, or where a cursor left it (RUN-070 to RUN-074). */
export function openList(list: ListCall, from: ListState | null): ListPages {
  const { engine, feed, call, mostPages } = list;
  const reading: Reading = { ...list, prepared: null };
  const source: PageSource = {
    engine,
    feed,
    digest: call.catalog.digest,
    first: firstPage(call.template.pagination, { ...call.anchor, ...call.args }),
    ...(mostPages === undefined ? {} : { mostPages }),
    read: (page) => readPage(reading, page),
  };
  return openPages(source, from);
}
