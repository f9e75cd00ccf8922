import type { Json } from "@plasm/core";
import { listRows } from "../decode/collection.ts";
import { decodeRow } from "../decode/decode-row.ts";
import type { EntityRow } from "../decode/entity-row.ts";
import { firstPage, pageParameters } from "../paging/first-page.ts";
import { nextPage } from "../paging/next-page.ts";
import type { PageState } from "../paging/page-state.ts";
import { FIXED } from "../limits/limits.ts";
import { RunStop } from "../limits/budget.ts";
import { rowScope } from "../overlays/row-scope.ts";
import { requireCallable, rewriteToBackend } from "../request/effective-backend.ts";
import type { Call } from "../request/environment.ts";
import { withPageParameters } from "../request/page-parameters.ts";
import { RunFailure } from "../run-failure.ts";
import type { Engine } from "./engine.ts";
import type { Site } from "./feed.ts";
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

/** Where a list stands, as a cursor keeps it. */
export interface ListState {
  readonly page: PageState;
  /** rows of pages already read that were not given yet */
  readonly pending: readonly EntityRow[];
  /** identities of earlier pages, so that a row that moved is not given twice (PLAN-081) */
  readonly seen: readonly string[];
}

/** Reads a list page by page, in API order (RUN-070 to RUN-076). */
export interface ListPages {
  /** The rows of the next page that holds any; empty at the end. Throws RunFailure or RunStop. */
  next(): Promise<readonly EntityRow[]>;
  readonly ended: boolean;
  /** whether it was cut before its end, at the most pages it may read */
  readonly cut: boolean;
  /** `given` are rows that the caller took but does not want yet. */
  save(given: readonly EntityRow[]): ListState;
}

interface Reading extends ListCall {
  page: PageState;
  pending: EntityRow[];
  readonly seen: Set<string>;
  /** pages read in this run, against the budget */
  pages: number;
  /** how many of the pending rows the budget lets pass; null before it was asked */
  allowed: number | null;
  prepared: PreparedCall | null;
}

async function readPage(list: Reading): Promise<Answer> {
  const { engine, feed, call } = list;
  list.prepared ??= prepareCall(engine, call);
  const { pagination } = call.template;
  const { description } = list.prepared;
  if (pagination === undefined) return performRead(engine, feed.id, list.prepared, description);
  if (list.page.url !== null) {
    const alone = { ...description, query: [] };
    return performRead(engine, feed.id, list.prepared, alone, list.page.url);
  }
  const parameters = pageParameters(pagination, list.page);
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
    return listRows(call.template.response, answer.body, prepared.environment.rest, feed.log);
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

/** Drops rows of earlier pages; rows repeated within a page are the API's own (PLAN-081). */
function dropSeen(list: Reading, rows: readonly EntityRow[]): EntityRow[] {
  const fresh = rows.filter((row) => row.identity === null || !list.seen.has(row.identity.text));
  if (fresh.length < rows.length) list.feed.log.add("row_repeated", "a later page repeats rows");
  for (const { identity } of rows) if (identity !== null) list.seen.add(identity.text);
  return fresh;
}

/** A next URL goes only where the catalog may call; else the list ends with what it has (RUN-074). */
async function checkedState(list: Reading, state: PageState): Promise<PageState> {
  if (state.url === null) return state;
  const party = await list.engine.party(list.call.catalog.entryId, list.feed.id);
  const { backend } = party;
  // Sent anew with each request, and kept out of cursors.
  const bare = withoutCredentialKey(state.url, party);
  const url = rewriteToBackend(new URL(bare), backend);
  try {
    requireCallable(url, backend, "The next page");
    return { ...state, url: url.href };
  } catch (error) {
    if (!(error instanceof RunFailure)) throw error;
    list.feed.log.add("origin_refused", error.message);
    list.feed.mark("origin_refused");
    return { ...state, url: null, ended: true };
  }
}

/** Counts a page's rows against the budget; those beyond it wait for a cursor. */
function keepRows(list: Reading, rows: EntityRow[], answer: Answer): void {
  const { engine, call } = list;
  const size = Math.ceil(answer.bytes / Math.max(1, rows.length));
  for (const row of rows) engine.cache.put(call.catalog.digest, row, size);
  list.pending.push(...rows);
  list.allowed = engine.budget.takeRows(rows.length);
}

async function advance(list: Reading): Promise<void> {
  const { engine, feed, call } = list;
  if (list.pages >= engine.budget.limits.pages) throw new RunStop("pages");
  const answer = await readPage(list);
  list.pages += 1;
  engine.budget.addPage();
  list.onBody?.(answer.body);
  const { wire, rows } = decodePage(list, answer);
  const facts = {
    body: answer.body,
    linkHeader: answer.linkHeader,
    requestUrl: answer.url,
    rowCount: wire.length,
    identities: rows.map((row) => row.identity?.text ?? null),
  };
  const next = nextPage(call.template.pagination, list.page, facts, feed.log, FIXED.emptyPages);
  list.page = await checkedState(list, next.state);
  if (!next.repeated) keepRows(list, dropSeen(list, rows), answer);
}

function takePending(list: Reading): EntityRow[] {
  if (list.pending.length === 0) return [];
  list.allowed ??= list.engine.budget.takeRows(list.pending.length);
  if (list.allowed === 0) throw new RunStop("rows");
  const rows = list.pending.splice(0, list.allowed);
  list.allowed = 0;
  return rows;
}

/** Opens a list at its first page, or where a cursor left it. */
export function openList(list: ListCall, from: ListState | null): ListPages {
  const { pagination } = list.call.template;
  const state: Reading = {
    ...list,
    page: from?.page ?? firstPage(pagination, { ...list.call.anchor, ...list.call.args }),
    pending: [...(from?.pending ?? [])],
    seen: new Set(from?.seen ?? []),
    pages: 0,
    allowed: null,
    prepared: null,
  };
  const { mostPages = Number.POSITIVE_INFINITY } = list;
  const isCut = (): boolean =>
    state.pages >= mostPages && !state.page.ended && state.pending.length === 0;
  return {
    get ended() {
      return state.page.ended && state.pending.length === 0;
    },
    get cut() {
      return isCut();
    },
    async next() {
      while (state.pending.length === 0 && !state.page.ended && !isCut()) await advance(state);
      return takePending(state);
    },
    save: (given) => ({
      page: state.page,
      pending: [...given, ...state.pending],
      seen: [...state.seen],
    }),
  };
}
