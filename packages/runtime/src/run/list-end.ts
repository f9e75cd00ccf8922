import type { Capability, Json, JsonObject } from "@plasm/core";
import { isOffsetName, isSizeName, plainPageName } from "@plasm/core/internal";
import { isScalar } from "../base/json-kinds.ts";
import { RunFailure } from "../base/run-failure.ts";
import { shownByRefusal } from "../decode/assumed-counter.ts";
import { collectionPath } from "../decode/collection.ts";
import {
  beforeSign,
  countedRows,
  endSigns,
  type LastAnswer,
  type MoreSign,
} from "../decode/more-signs.ts";
import { afterShown, isKeyset } from "../decode/next-page.ts";
import { givenSize, sizeParam } from "../decode/page-size.ts";
import { assumedCounter, type PageFacts, type PageState } from "../decode/page-state.ts";
import type { CapabilityCall } from "../request/environment.ts";
import type { NodeContext } from "./feed.ts";
import type { ReadAnswer } from "./perform-read.ts";

/** A list as far as its end is judged. */
interface EndingList {
  readonly feed: NodeContext;
  readonly call: CapabilityCall;
  /** all that it was asked with */
  readonly args: JsonObject;
  /** how many rows lie before the first that was asked for; null if an argument says where, but not how many */
  readonly before: number | null;
  /** the page that was asked for last */
  readonly asked: PageState | null;
}

/** Whether pages are asked for by what the one before said, and not by number. */
export const isKeyed = ({ template: { pagination } }: CapabilityCall): boolean =>
  pagination !== undefined && isKeyset(pagination);

/** Names of arguments by which a program pages by itself. */
const PAGE_NAMES = /^(page|pagenumber|pageno|pageindex|pagenum|cursor|pagetoken|nexttoken|marker)$/;

/** What a list is asked with, as far as its end depends on it. */
export function askedWith({ anchor, args }: CapabilityCall): Pick<EndingList, "args" | "before"> {
  const all = { ...anchor, ...args };
  return { args: all, before: rowsBefore(all) };
}

function rowsBefore(args: JsonObject): number | null {
  let before = 0;
  for (const [name, value] of Object.entries(args)) {
    // `first=10` asks for ten rows, where no paging counts by it.
    const offset = isOffsetName(name) && !isSizeName(name) ? offsetIn(value) : null;
    if (offset !== null) before += offset;
    else if (PAGE_NAMES.test(plainPageName(name)) && value !== null) return null;
  }
  return before;
}

/** The number that an argument says; null where it is none. */
function offsetIn(value: Json): number | null {
  const number = typeof value === "string" && value !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isInteger(number) ? number : null;
}

/** Whether the program itself asked for so many rows, and they came. */
const isAsked = (args: JsonObject, rows: number): boolean =>
  Object.entries(args).some(([name, value]) => isSizeName(name) && Number(value) === rows);

/** What a list that has ended says of rows behind its end, in words for its author and its reader (RUN-003). */
function unreadText({ call }: EndingList, { at, total }: MoreSign, state: PageState): string {
  const read = state.rows === undefined ? "" : `, ${state.rows} were read`;
  const says =
    total === null ? `the API says that more follow (${at})` : `the API says ${total} (${at})`;
  return `${call.capability.name}: ${says}${read}; ${pagingAdvice(call, state)}`;
}

function pagingAdvice({ template, capability }: CapabilityCall, { page, size }: PageState): string {
  const { pagination } = template;
  const sized = sizeParam(pagination);
  if (sized !== null) {
    const name = sizeSlot(capability, sized)?.name;
    return name === undefined || size !== undefined
      ? "narrow the condition"
      : `ask for more with ${name}, or narrow the condition`;
  }
  return pagination === undefined
    ? "this catalog declares no paging for it: narrow the condition, or declare pagination in its mapping"
    : `the paging that this catalog declares ended after page ${page}: narrow the condition, or correct pagination in its mapping`;
}

/** The parameter by which a program says how many rows the answer has of a list without pages. */
const sizeSlot = (capability: Capability, { name }: { readonly name: string }) =>
  capability.parameters.find((slot) => plainPageName(slot.name) === plainPageName(name));

function preprocessPath({ call }: EndingList): readonly string[] | null {
  const { preprocess } = call.template.response;
  return preprocess !== undefined && preprocess.kind !== "function" ? preprocess.path : null;
}

/** Where the rows of an answer stand; null where its body is one row, whose keys are data. */
export function rowsPath(list: EndingList, { body }: ReadAnswer): readonly string[] | null {
  const { response } = list.call.template;
  const oneRow = response.single || (response.wrapRootScalar && isScalar(body));
  return oneRow ? null : (preprocessPath(list) ?? collectionPath(response));
}

/** An answer as it is looked at for what it says of the whole list. */
export function lastAnswer(
  list: EndingList,
  state: PageState,
  answer: ReadAnswer,
  facts: PageFacts,
): LastAnswer {
  const { call, args, before } = list;
  const { rows } = state;
  const inside = preprocessPath(list);
  const { pagination } = call.template;
  const isSized = sizeParam(pagination) !== null;
  const atEmpty = facts.rowCount === 0 && pagination !== undefined && !isSized;
  const values = list.asked?.values ?? {};
  return {
    body: answer.body,
    path: rowsPath(list, answer),
    headers: answer.paging,
    // Behind an empty page there is nothing, whatever rows are counted that nobody may see.
    rows:
      rows === undefined || before === null || inside !== null || atEmpty ? null : before + rows,
    pages: before === 0 && !atEmpty ? (isSized ? 1 : state.page) : null,
    // Few answers name what could be one of these.
    get sent() {
      const all = [...Object.values(args), ...Object.values(values)];
      return new Set(all.filter((value) => isScalar(value)).map(String));
    },
  };
}

/** Whether a program had to say how many rows it wants, and so many came: they may be what it wants, or all it may ask for. */
function mustAsk(
  { template, capability }: CapabilityCall,
  args: JsonObject,
  rows: number,
): boolean {
  const sized = sizeParam(template.pagination);
  if (sized === null || givenSize(sized, args)?.rows !== rows) return false;
  return sizeSlot(capability, sized)?.required === true;
}

/**
 * A list that has ended, with what its last answer says of rows behind that; `early` is why no more of it is
 * asked for, if that was not the API's word.
 */
export function atEnd(
  list: EndingList,
  state: PageState,
  last: LastAnswer,
  early: string | undefined,
): PageState {
  if (!state.ended || list.feed.log.has("origin_refused")) return state;
  const { call, args } = list;
  const { rows } = state;
  const { more, none } = endSigns(last);
  if (rows !== undefined && isAsked(args, rows)) {
    if (none || !mustAsk(call, args, rows)) return state;
    const says = `${rows} rows came, as many as were asked for, and others may be missing`;
    return { ...state, unread: `${call.capability.name}: ${says}; ${pagingAdvice(call, state)}` };
  }
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
export function counting(
  list: EndingList,
  state: PageState,
  last: LastAnswer,
  rows: number,
): PageState {
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
export function tellBefore({ call, before, feed }: EndingList, first: LastAnswer): void {
  if (call.template.pagination === undefined || isKeyed(call) || before !== 0) return;
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
export function refusedPage(list: EndingList, page: PageState, error: unknown): PageState | null {
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
  if (page.size !== undefined && page.page > 0) {
    const unread = `${page.rows ?? 0} rows came, and a request for ${page.size} was refused: others may be missing: ${message}`;
    return { ...page, page: page.page + 1, ended: true, unread };
  }
  const isCounted = pagination !== undefined && page.url === null && !isKeyset(pagination);
  if (status >= 500 || page.page === 0 || !isCounted) return null;
  const { assumed: _open, ...known } = page;
  const end = { ...known, page: page.page + 1, ended: true };
  const isBehindCap = page.cap !== undefined && (page.page === 1 || page.uneven === "short");
  if (isBehindCap && (NO_SUCH_PAGE.has(status) || UNFIT_PAGE.has(status))) return end;
  if (!isBehindCap && NO_SUCH_PAGE.has(status)) return leftBehind(list, end);
  if (!isBehindCap && !UNFIT_PAGE.has(status)) return null;
  const said = request?.apiText ?? "";
  const which = page.page === 1 ? "the first" : `page ${page.page}`;
  const unread = `the page behind ${which} was refused, and others may be missing: ${message}`;
  return { ...end, unread: said === "" || message.includes(said) ? unread : `${unread} ${said}` };
}

/** A list whose next page is not there, with what the page before said of rows behind it. */
function leftBehind({ call }: EndingList, state: PageState): PageState {
  const { total, more, rows = 0, ended } = state;
  if (!ended) return state;
  const counted = total !== undefined && total > rows ? `the API counted ${total}` : null;
  const says = counted ?? (more === undefined ? null : `the API said that more follow (${more})`);
  if (says === null) return state;
  const unread = `${call.capability.name}: ${says}, ${rows} were read, and the next page is not there`;
  return { ...state, unread: `${unread}; ${pagingAdvice(call, state)}` };
}
