import type { Capability, Entity, Json } from "@plasm/core";
import { keyParts } from "@plasm/core/internal";
import { listRows, nothingSelected } from "../decode/collection.ts";
import { decodeRow } from "../decode/decode-row.ts";
import type { EntityRow } from "../decode/entity-row.ts";
import { firstPage, pageParameters, type PageState } from "../decode/page-state.ts";
import { endSigns, type LastAnswer, saidPageNumber } from "../decode/more-signs.ts";
import { type NextPage, nextPage } from "../decode/next-page.ts";
import { troubleWords } from "../decode/trouble-words.ts";
import { FIXED } from "../limits/limits.ts";
import { ROW_MEMORY } from "../limits/row-budget.ts";
import { eachOf, inSlices, type Pausable, visitEach } from "../base/turns.ts";
import { rowScope } from "../overlays/overlay-template.ts";
import { requireCallable, rewriteToBackend } from "../request/effective-backend.ts";
import { type CapabilityCall, scopeValues } from "../request/environment.ts";
import { withPageParameters } from "../request/wire-request.ts";
import { RunFailure } from "../base/run-failure.ts";
import { type RunEngine, rowsName } from "./engine.ts";
import type { NodeContext } from "./feed.ts";
import {
  askedWith,
  atEnd,
  counting,
  isKeyed,
  lastAnswer,
  refusedPage,
  rowsPath,
  tellBefore,
} from "./list-end.ts";
import {
  type ListPages,
  type ListState,
  openPages,
  type PageRead,
  type PageSource,
} from "./list-pages.ts";
import {
  type ReadAnswer,
  performRead,
  prepareCall,
  type PreparedCall,
  withoutCredentialKey,
} from "./perform-read.ts";
import { checkMarkers, naming } from "./read-get.ts";
import { unmetConditions } from "./unmet-conditions.ts";

/** What a list is read with. */
export interface ListCall {
  readonly engine: RunEngine;
  readonly feed: NodeContext;
  readonly call: CapabilityCall;
  /** after how many pages it is cut, apart from budgets */
  readonly mostPages?: number;
  /** its rows are dropped, and count against no budget of rows */
  readonly isUncounted?: boolean;
  /** sees each page as it came */
  readonly onAnswer?: (answer: ReadAnswer) => void;
}

interface Reading extends ListCall, ReturnType<typeof askedWith> {
  prepared: PreparedCall | null;
  /** the page that was asked for last */
  asked: PageState | null;
  /** looks at each row for conditions that were sent and are not met */
  unmet: ReturnType<typeof unmetConditions>;
}

function askPage(list: Reading, page: PageState): Promise<ReadAnswer> {
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

interface DecodedPage {
  readonly wire: readonly Json[];
  readonly rows: EntityRow[];
}

async function decodePage(list: Reading, answer: ReadAnswer): Promise<DecodedPage> {
  const { engine, feed, call, prepared } = list;
  if (prepared === null) throw new Error("a list without request");
  const { ambient } = prepared.environment;
  const scope = scopeValues(call);
  const { entity, statics } = rowScope(call.catalog, call.capability, ambient);
  const provides = provided(call.capability);
  const wire = naming(answer, () => {
    checkMarkers(engine, feed, call, answer, "list");
    // It says that there is nothing; 200 with an empty body does not.
    if (answer.request.status === 204) return [];
    const { template } = call;
    const found = listRows(template.response, answer.body, prepared.environment.rest, feed.log);
    return found.filter((row) => !nothingSelected(template, row));
  });
  await engine.rows.rows(() => rowsName(engine, feed.id), wire.length);
  markMissing(list, wire.length, answer.body);
  const context = { catalog: call.catalog, log: feed.log };
  const origin = { entity, statics, provides, ambient, scope, requested: null };
  const decoded = eachOf(wire, (item, index) => decodeRow(context, item, { ...origin, index }));
  const rows = await inSlices(lookedAt(list, decoded, entity), engine.pause);
  return { wire, rows };
}

const provisions = new WeakMap<Capability, ReadonlySet<string>>();

/** What a capability says that its answers have; it is frozen, and every page asks. */
function provided(capability: Capability): ReadonlySet<string> | null {
  const { provides } = capability;
  if (provides === undefined) return null;
  const known = provisions.get(capability) ?? new Set(provides);
  provisions.set(capability, known);
  return known;
}

/** The rows of a page once it is told what is odd about them. */
function* lookedAt(
  list: Reading,
  decoded: Pausable<EntityRow[]>,
  entity: Entity,
): Pausable<EntityRow[]> {
  const rows = yield* decoded;
  list.feed.log.read(rows.length);
  yield* tellKeys(list, rows, entity);
  list.unmet ??= unmetConditions(list.feed, list.call, entity);
  if (list.unmet !== null) yield* visitEach(rows, list.unmet);
  return rows;
}

/**
 * An answer without its collection is not known to have no rows. One that is null is how many APIs write an empty
 * list, but not behind rows: those have ended otherwise (RUN-003, RUN-030). Nor where the answer says that something
 * is wrong (RUN-041).
 */
function markMissing({ feed, asked }: Reading, rows: number, body: Json): void {
  if (rows > 0) return;
  if (feed.log.has("collection_missing")) feed.mark("collection_missing");
  const isOdd = (asked?.rows ?? 0) > 0 || troubleWords(body) !== null;
  if (feed.log.has("collection_null") && isOdd) feed.mark("collection_null");
}

/**
 * Says which rows no key was found for: nothing can be called on them (RUN-047); and which have the key of one before
 * on their page: each is kept, as the API sent it (PLAN-081).
 */
function* tellKeys({ feed }: Reading, rows: readonly EntityRow[], entity: Entity): Pausable<void> {
  if (entity.implicitRequestIdentity) return;
  const parts = keyParts(entity).join(", ");
  const seen = new Set<string>();
  yield* visitEach(rows, ({ identity }, index) => {
    if (identity === null) {
      feed.log.add("identity_missing", `rows of ${entity.name} have no key (${parts})`, index);
    } else if (seen.has(identity.text)) {
      const detail = `rows of ${entity.name} have a key that a row before them has`;
      feed.log.add("row_twice", detail, index);
    } else seen.add(identity.text);
  });
}

/** Says that a list ends here, with what it has, since its next page may not be read (RUN-074). */
function refused(list: Reading, state: PageState, why: RunFailure): PageState {
  list.feed.log.add("origin_refused", why.message);
  list.feed.mark("origin_refused");
  return { ...state, url: null, ended: true };
}

/** A next URL goes only where the catalog may call; else the list ends with what it has (RUN-074). */
async function checkedState(list: Reading, state: PageState, next: string): Promise<PageState> {
  const party = await list.engine.party(list.call.catalog.entryId, list.feed.id);
  const { backend } = party;
  // Sent anew with each request, and kept out of cursors.
  const bare = new URL(withoutCredentialKey(next, party));
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

/** The state after a page, with the rows read so far; states that older cursors keep do not count them. */
function counted(page: PageState, next: PageState, rows: number): PageState {
  return page.rows === undefined ? next : { ...next, rows: page.rows + rows };
}

async function readPage(list: Reading, page: PageState): Promise<PageRead> {
  try {
    return await readNext(list, page);
  } catch (error) {
    // Where a next URL leads is known only on the way (RUN-140).
    const isLed = page.url !== null && error instanceof RunFailure;
    if (isLed && error.failure.code === "origin_refused") {
      return { rows: [], next: refused(list, page, error), bytes: 0, repeated: false };
    }
    const next = refusedPage(list, page, error);
    if (next === null) throw error;
    return { rows: [], next, bytes: 0, repeated: true };
  }
}

/** How a list goes on whose page may be the last or not; null where it is, or more are named. */
function openState({ capped, larger, early }: NextPage, last: LastAnswer): PageState | null {
  const { more, none } = endSigns(last);
  if (capped !== undefined) return last.pages === 1 && !none ? capped : null;
  const isOpen = more !== null || (early !== undefined && !none);
  return larger !== undefined && isOpen ? larger : null;
}

async function readNext(list: Reading, page: PageState): Promise<PageRead> {
  const { feed, call } = list;
  list.asked = page;
  const answer = await askPage(list, page);
  list.onAnswer?.(answer);
  const { wire, rows } = await decodePage(list, answer);
  const facts = {
    body: answer.body,
    linkHeader: answer.linkHeader,
    requestUrl: answer.url,
    rowCount: wire.length,
    last: wire.at(-1),
    wire,
    identities: rows.map((row) => row.identity?.text ?? null),
    number: saidPageNumber(answer.body, rowsPath(list, answer)),
  };
  const next = nextPage(call.template.pagination, page, facts, feed.log, FIXED.emptyPages);
  // A larger answer has the rows of the one before again.
  const isLarger = page.size !== undefined && page.page > 0;
  const overlap = isLarger ? Math.min(page.rows ?? 0, wire.length) : (next.overlap ?? 0);
  const read = counted(page, next.state, next.repeated ? 0 : wire.length - overlap);
  const last = lastAnswer(list, read, answer, facts);
  if (page.page === 0) tellBefore(list, last);
  const goesOn = openState(next, last);
  const state =
    goesOn !== null
      ? counted(page, goesOn, wire.length - overlap)
      : read.url === null
        ? read
        : await checkedState(list, read, read.url);
  return {
    rows,
    next: atEnd(list, counting(list, state, last, wire.length), last, next.early),
    bytes: answer.bytes,
    held: (answer.held ?? 0) + wire.length * ROW_MEMORY,
    repeated: next.repeated,
    overlap: isLarger || page.again === true ? wire.length : overlap,
  };
}

/** Opens a list at its first page, or where a cursor left it (RUN-070 to RUN-074). */
export function openList(list: ListCall, from: ListState | null): ListPages {
  const { engine, feed, call, mostPages, isUncounted = false } = list;
  const reading: Reading = {
    ...list,
    ...askedWith(call),
    prepared: null,
    asked: null,
    unmet: null,
  };
  const source: PageSource = {
    engine,
    feed,
    digest: call.catalog.digest,
    keyed: isKeyed(call),
    isUncounted,
    first: firstPage(call.template.pagination, reading.args),
    ...(mostPages === undefined ? {} : { mostPages }),
    read: (page) => readPage(reading, page),
  };
  return openPages(source, from);
}
