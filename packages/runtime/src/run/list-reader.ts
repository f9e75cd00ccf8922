import type { Entity, Json, JsonObject } from "@plasm/core";
import { isOffsetName, isSizeName, keyParts, plainPageName } from "@plasm/core/internal";
import { collectionPath, listRows, nothingSelected } from "../decode/collection.ts";
import { decodeRow } from "../decode/decode-row.ts";
import type { EntityRow } from "../decode/entity-row.ts";
import {
  assumedCounter,
  firstPage,
  type PageFacts,
  pageParameters,
  type PageState,
} from "../decode/page-state.ts";
import { isScalar } from "../base/json-kinds.ts";
import { shownByRefusal } from "../decode/assumed-counter.ts";
import {
  beforeSign,
  countedRows,
  endSigns,
  type LastAnswer,
  type MoreSign,
  saidPageNumber,
} from "../decode/more-signs.ts";
import { afterShown, isKeyset, nextPage } from "../decode/next-page.ts";
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

interface Reading extends ListCall {
  prepared: PreparedCall | null;
  /** the page that was asked for last */
  asked: PageState | null;
  /** looks at each row for conditions that were sent and are not met */
  unmet: ReturnType<typeof unmetConditions> | null;
}

async function askPage(list: Reading, page: PageState): Promise<ReadAnswer> {
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
  const { provides } = call.capability;
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
  const decoded = eachOf(wire, (item, index) =>
    decodeRow({ catalog: call.catalog, log: feed.log }, item, {
      entity,
      statics,
      provides: provides === undefined ? null : new Set(provides),
      ambient,
      scope,
      requested: null,
      index,
    }),
  );
  const rows = await inSlices(decoded, engine.pause);
  feed.log.read(rows.length);
  await inSlices(tellKeys(list, rows, entity), engine.pause);
  list.unmet ??= unmetConditions(feed, call, entity);
  await inSlices(visitEach(rows, list.unmet), engine.pause);
  return { wire, rows };
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
async function askNext(list: Reading, page: PageState): Promise<ReadAnswer | RunFailure> {
  try {
    return await askPage(list, page);
  } catch (error) {
    const led = page.url !== null && error instanceof RunFailure;
    if (led && error.failure.code === "origin_refused") return error;
    throw error;
  }
}

/** The state after a page, with the rows read so far; states that older cursors keep do not count them. */
function counted(page: PageState, next: PageState, rows: number): PageState {
  return page.rows === undefined ? next : { ...next, rows: page.rows + rows };
}

/** Whether pages are asked for by what the one before said, and not by number. */
const isKeyed = ({ template: { pagination } }: CapabilityCall): boolean =>
  pagination !== undefined && isKeyset(pagination);

/** Names of arguments by which a program pages by itself. */
const PAGE_NAMES = /^(page|pagenumber|pageno|pageindex|pagenum|cursor|pagetoken|nexttoken|marker)$/;

/** How many rows lie before the first that was asked for; null if an argument says where, but not how many. */
function rowsBefore(args: JsonObject): number | null {
  let before = 0;
  for (const [name, value] of Object.entries(args)) {
    const number = typeof value === "string" && value !== "" ? Number(value) : value;
    if (isOffsetName(name) && Number.isInteger(number)) before += Number(number);
    else if (PAGE_NAMES.test(plainPageName(name)) && value !== null) return null;
  }
  return before;
}

/** Whether the program itself asked for so many rows, and they came. */
const isAsked = (args: JsonObject, rows: number): boolean =>
  Object.entries(args).some(([name, value]) => isSizeName(name) && Number(value) === rows);

/** What a list that has ended says of rows behind its end, in words for its author and its reader (RUN-003). */
function unreadText({ call }: Reading, { at, total }: MoreSign, state: PageState): string {
  const read = state.rows === undefined ? "" : `, ${state.rows} were read`;
  const says =
    total === null ? `the API says that more follow (${at})` : `the API says ${total} (${at})`;
  return `${call.capability.name}: ${says}${read}; ${pagingAdvice(call, state)}`;
}

const pagingAdvice = ({ template: { pagination } }: CapabilityCall, { page }: PageState): string =>
  pagination === undefined
    ? "this catalog declares no paging for it: narrow the condition, or declare pagination in its mapping"
    : `the paging that this catalog declares ended after page ${page}: narrow the condition, or correct pagination in its mapping`;

function preprocessPath({ call }: Reading): readonly string[] | null {
  const { preprocess } = call.template.response;
  return preprocess !== undefined && preprocess.kind !== "function" ? preprocess.path : null;
}

/** Where the rows of an answer stand; null where its body is one row, whose keys are data. */
function rowsPath(list: Reading, { body }: ReadAnswer): readonly string[] | null {
  const { response } = list.call.template;
  const oneRow = response.single || (response.wrapRootScalar && isScalar(body));
  return oneRow ? null : (preprocessPath(list) ?? collectionPath(response));
}

/** An answer as it is looked at for what it says of the whole list. */
function lastAnswer(
  list: Reading,
  state: PageState,
  answer: ReadAnswer,
  facts: PageFacts,
): LastAnswer {
  const { call } = list;
  const args = { ...call.anchor, ...call.args };
  const before = rowsBefore(args);
  const { rows } = state;
  const inside = preprocessPath(list);
  const atEmpty = facts.rowCount === 0 && call.template.pagination !== undefined;
  const sent = [...Object.values(args), ...Object.values(list.asked?.values ?? {})];
  return {
    body: answer.body,
    path: rowsPath(list, answer),
    headers: answer.paging,
    // Behind an empty page there is nothing, whatever rows are counted that nobody may see.
    rows:
      rows === undefined || before === null || inside !== null || atEmpty ? null : before + rows,
    pages: before === 0 && !atEmpty ? state.page : null,
    sent: new Set(sent.filter((value) => isScalar(value)).map(String)),
  };
}

/**
 * A list that has ended, with what its last answer says of rows behind that; `early` is why no more of it is
 * asked for, if that was not the API's word.
 */
function atEnd(
  list: Reading,
  state: PageState,
  last: LastAnswer,
  early: string | undefined,
): PageState {
  if (!state.ended || list.feed.log.has("origin_refused")) return state;
  const { call } = list;
  const { rows } = state;
  if (rows !== undefined && isAsked({ ...call.anchor, ...call.args }, rows)) return state;
  const { more, none } = endSigns(last);
  if (early !== undefined && !none) {
    return { ...state, unread: `${call.capability.name}: ${early}; ${pagingAdvice(call, state)}` };
  }
  return more === null ? state : { ...state, unread: unreadText(list, more, state) };
}

/** A list that goes on by a counter, with what its last answer says of rows behind it. */
function withMore({ more: _before, ...state }: PageState, last: LastAnswer): PageState {
  if (state.ended || state.url !== null) return state;
  const { more } = endSigns(last);
  return more === null || more.total !== null ? state : { ...state, more: more.at };
}

/**
 * Says that a list lost rows while it was read: where pages are counted, those behind slid onto pages that were
 * read already. A first number that is no more than the first page has may be that of the page.
 */
function counting(list: Reading, state: PageState, last: LastAnswer, rows: number): PageState {
  const { pagination } = list.call.template;
  if (pagination === undefined || isKeyed(list.call)) return state;
  const total = countedRows(last);
  if (total === null) return withMore(state, last);
  if (state.total === undefined) {
    return state.page === 1 && total > rows ? { ...state, total } : withMore(state, last);
  }
  if (total >= state.total) return state;
  const name = list.call.capability.name;
  const counted = `${name}: the API counted ${state.total} rows at first and ${total} later`;
  list.feed.log.add("rows_unread", `${counted}; read it again, or bound it with .limit(n)`);
  list.feed.mark("rows_unread");
  return { ...state, total };
}

/** Says that pages lie before the first that was asked for: nothing reads them (RUN-077). */
function tellBefore({ call, feed }: Reading, first: LastAnswer): void {
  const { pagination } = call.template;
  if (
    pagination === undefined ||
    isKeyed(call) ||
    rowsBefore({ ...call.anchor, ...call.args }) !== 0
  )
    return;
  const sign = beforeSign(first);
  if (sign === null) return;
  const says = `${call.capability.name}: the API says that a page is before the first that was read (${sign})`;
  feed.log.add("rows_unread", `${says}; correct where the counter of its pagination starts`);
  feed.mark("rows_unread");
}

/** Statuses by which APIs say that there is no such page. */
const NO_SUCH_PAGE = new Set([404, 410, 416]);
/** Statuses by which they refuse a page for a reason that they say. */
const UNFIT_PAGE = new Set([400, 422]);

/**
 * The state where a page is refused: how a list goes on whose counter is assumed (RUN-190), or its end. The rows in hand
 * may be all of a first page that may be capped (RUN-073), and are where there is no such page and nothing counted more
 * (RUN-191). Null where the failure is that of the list.
 */
function refusedPage(list: Reading, page: PageState, error: unknown): PageState | null {
  if (!(error instanceof RunFailure)) return null;
  const { message, request } = error.failure;
  const status = request?.status ?? null;
  const { pagination } = list.call.template;
  if (status === null) return null;
  const param = assumedCounter(pagination);
  const shown = param === null ? null : shownByRefusal(param, page, status);
  if (param !== null && shown !== null && shown.kind !== "rows") {
    const { state, early } = afterShown(page, param.name, shown);
    return early === undefined ? leftBehind(list, state) : { ...state, unread: early };
  }
  const isCounted = pagination !== undefined && page.url === null && !isKeyset(pagination);
  if (status >= 500 || page.page === 0 || !isCounted) return null;
  const { assumed: _open, ...known } = page;
  const end = { ...known, page: page.page + 1, ended: true };
  const isBehindCap = page.cap !== undefined && page.page === 1;
  if (isBehindCap && (NO_SUCH_PAGE.has(status) || UNFIT_PAGE.has(status))) return end;
  if (!isBehindCap && NO_SUCH_PAGE.has(status)) return leftBehind(list, end);
  if (!isBehindCap && !UNFIT_PAGE.has(status)) return null;
  const said = request?.apiText ?? "";
  const which = page.page === 1 ? "the first" : `page ${page.page}`;
  const unread = `the page behind ${which} was refused, and others may be missing: ${message}`;
  return { ...end, unread: said === "" || message.includes(said) ? unread : `${unread} ${said}` };
}

/** A list whose next page is not there, with what the page before said of rows behind it. */
function leftBehind({ call }: Reading, state: PageState): PageState {
  const { total, more, rows = 0, ended } = state;
  if (!ended) return state;
  const counted = total !== undefined && total > rows ? `the API counted ${total}` : null;
  const says = counted ?? (more === undefined ? null : `the API said that more follow (${more})`);
  if (says === null) return state;
  const unread = `${call.capability.name}: ${says}, ${rows} were read, and the next page is not there`;
  return { ...state, unread: `${unread}; ${pagingAdvice(call, state)}` };
}

async function readPage(list: Reading, page: PageState): Promise<PageRead> {
  try {
    return await readNext(list, page);
  } catch (error) {
    const next = refusedPage(list, page, error);
    if (next === null) throw error;
    return { rows: [], next, bytes: 0, repeated: true };
  }
}

async function readNext(list: Reading, page: PageState): Promise<PageRead> {
  const { feed, call } = list;
  list.asked = page;
  const answer = await askNext(list, page);
  if (answer instanceof RunFailure) {
    return { rows: [], next: refused(list, page, answer), bytes: 0, repeated: false };
  }
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
  const { overlap = 0 } = next;
  const read = counted(page, next.state, next.repeated ? 0 : wire.length - overlap);
  const last = lastAnswer(list, read, answer, facts);
  if (page.page === 0) tellBefore(list, last);
  const { capped } = next;
  const goesOn = capped !== undefined && last.pages === 1 && !endSigns(last).none;
  const state = goesOn
    ? counted(page, capped, wire.length - overlap)
    : await checkedState(list, read);
  return {
    rows,
    next: atEnd(list, counting(list, state, last, wire.length), last, next.early),
    bytes: answer.bytes,
    held: (answer.held ?? 0) + wire.length * ROW_MEMORY,
    repeated: next.repeated,
    overlap: page.again === true ? wire.length : overlap,
  };
}

/** Opens a list at its first page, or where a cursor left it (RUN-070 to RUN-074). */
export function openList(list: ListCall, from: ListState | null): ListPages {
  const { engine, feed, call, mostPages, isUncounted = false } = list;
  const reading: Reading = { ...list, prepared: null, asked: null, unmet: null };
  const source: PageSource = {
    engine,
    feed,
    digest: call.catalog.digest,
    keyed: isKeyed(call),
    isUncounted,
    first: firstPage(call.template.pagination, { ...call.anchor, ...call.args }),
    ...(mostPages === undefined ? {} : { mostPages }),
    read: (page) => readPage(reading, page),
  };
  return openPages(source, from);
}
