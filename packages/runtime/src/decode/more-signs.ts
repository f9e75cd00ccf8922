import type { Json } from "@plasm/core";
import { TOTAL_HEADERS } from "@plasm/core/internal";
import { cleanApiText } from "./api-text.ts";
import { clip, hasMember, isArray, isObject, isScalar } from "../base/json-kinds.ts";
import type { HeaderPair } from "../ports.ts";

/** What the last answer of a list held, as far as it may say that rows are left unread. */
export interface LastAnswer {
  readonly body: Json;
  /** where its rows stand; null where the body holds one row, whose keys are data */
  readonly path: readonly string[] | null;
  readonly headers: readonly HeaderPair[];
  /** rows read so far, over all pages, those before a given offset included; null if not known */
  readonly rows: number | null;
  /** how many pages were read so far; null if the first of them was not the API's first */
  readonly pages: number | null;
  /** texts that the request sent: an answer that repeats one says nothing new */
  readonly sent: ReadonlySet<string>;
}

/** A sign that an API has rows that were not read: where it stands, and how many there are in all, if it says so. */
export interface MoreSign {
  readonly at: string;
  readonly total: number | null;
  /** it is called `count`: it may be how many rows there are in all, or on this page */
  readonly mayBeOfPage?: boolean;
}

/** The headers of an answer that say how a list goes on. */
export const pagingHeaders = (headers: readonly HeaderPair[]): readonly HeaderPair[] =>
  headers.filter(([name]) => isPagingHeader(name));

const plain = (key: string): string => key.toLowerCase().replace(/[^a-z0-9]/g, "");

const THINGS = "(pages?|items|results|records|rows|data|entries|elements|hits|objects)?";
/** `has_more`, `hasNextPage`, `more`, `is_truncated`: true says that more follow, false that none do. */
const MORE = new RegExp(
  `^(has(more|next)${THINGS}(available)?|more${THINGS}(available)?|moreitemsincollection|(is)?truncated|incompleteresults|exceededtransferlimit)$`,
);
/** `last`, `isLastPage`: false says that more follow. */
const LAST = /^(is)?last(page|batch)?$/;
const NEXT =
  /^(odata)?next(page(token|url|uri|link|cursor|id|number|href)?|cursor|token|link|url|uri|href|offset|start(index|at|cursor)?|skip|marker|key|index|results?|(records?|results?)(url|uri)|continuation(token)?|starting(after|token)|partitionkey|rowkey)?$/;
const CURSOR =
  /^(page|end|after|continuation|pagination|scroll|search)?cursor$|^cursor(next|after|mark)$/;
const TOKEN =
  /^(page|continuation|continue|pagination|paging|paginate|skip|cursor|more)token$|^(continue|continuation|lastevaluatedkey)$/;
const TOTAL =
  /^(odata)?(total|totalcount|totalresults?|totalitems|totalrecords|totalhits|totalelements|totalrows|totalsize|totalentries|totalobjects|totalmatches|totalfound|numfound|nbhits|counttotal|resulttotal|totalnumber|recordsfiltered|fullcount)$/;
/** Often the rows in all, but the rows asked for where a total or an offset stands beside it. */
const COUNT = /^(odata)?(count|recordcount|resultcount|itemcount|numresults)$/;
const PAGES =
  /^(totalpages?|pagecount|nbpages|numpages|numberofpages|pagestotal|lastpage|pages|pagetotal)$/;
const PAGE = /^(page|currentpage|pagenumber|pageno|pageindex|pagenum)$/;
const REMAINING = /^(remaining(items?)?(count)?|itemsremaining)$/;
const OFFSET = /^(offset|start|startat|startindex|skip|from)$/;
/** A sum of money is called a total as well. */
const MONEY = /^(subtotal|tax(es)?|amount|currency|price|vat|discount|shipping|balance)/;
/** Objects beside the rows, or around them, that speak of paging. */
const ENVELOPE =
  /^(meta(data)?|responsemetadata|pagination|paging|pager|pages?|pageinfo|pageinformation|cursors?|links|info|resultinfo|listinfo|listmeta|searchinfo|additionaldata|header)$/;

/** What an answer says of rows beyond it. */
interface Said {
  readonly signs: MoreSign[];
  /** `has_more` and its like, where one is there */
  flag: MoreSign | false | null;
  /** a next page is named where one would be, and is empty */
  noNext: boolean;
  /** it says that there is one page, and one was read */
  isOnePage: boolean;
  next: MoreSign | null;
}

/** Path of a key as a message names it. */
const named = (path: readonly string[]): string => clip(cleanApiText(path.join(".")), 80);

const asNumber = (value: Json | undefined): number | null => {
  if (typeof value === "number") return value;
  if (typeof value === "string" && /^\d{1,15}$/.test(value.trim())) return Number(value);
  // `{value: 143, relation: "eq"}`, as search engines count.
  if (isObject(value) && typeof value["value"] === "number") return value["value"];
  return null;
};

const asFlag = (value: Json | undefined): boolean | null => {
  if (typeof value === "boolean") return value;
  return value === "true" ? true : value === "false" ? false : null;
};

/** What a member called `has_more` says, which APIs write in more ways: 1 and 0, `yes` and `no`. */
function asMore(value: Json | undefined): boolean | null {
  if (typeof value === "number") return value > 0;
  if (typeof value !== "string") return asFlag(value);
  const word = value.trim().toLowerCase();
  if (/^(true|yes|y|1)$/.test(word)) return true;
  return /^(false|no|n|0)$/.test(word) ? false : null;
}

/** Whether a text stands where a next page would be named, and names none: `""`, `"null"`, a fragment alone. */
export const namesNothing = (text: string): boolean =>
  /^(|null|none|nil|undefined|false|n\/a|-|#)$/i.test(text.trim());

/** Whether a next page is named: text, a number above 0, or an object with either. */
function leads(value: Json | undefined, sent: ReadonlySet<string>): boolean {
  if (value === undefined || value === null || value === false) return false;
  if (typeof value === "string" && namesNothing(value)) return false;
  if (isArray(value)) return value.some((each) => leads(each, sent));
  if (isObject(value)) return Object.values(value).some((each) => leads(each, sent));
  if (typeof value === "number") return value > 0;
  return value === true || !sent.has(String(value));
}

const isEmptyName = (value: Json): boolean => typeof value === "string" && namesNothing(value);

const keyOf = (object: { readonly [key: string]: Json }, pattern: RegExp): string | undefined =>
  Object.keys(object).find((key) => pattern.test(plain(key)));

/** What one object says of the list, by its own keys; keys below `rows` are not looked at. */
function readObject(
  object: { readonly [key: string]: Json },
  path: readonly string[],
  answer: LastAnswer,
  said: Said,
): void {
  const names = Object.keys(object).map(plain);
  const hasTotal = names.some((name) => TOTAL.test(name));
  const isMoney = names.some((name) => MONEY.test(name));
  const hasOffset = names.some((name) => OFFSET.test(name));
  const within = plain(path.at(-1) ?? "");
  const sign = (key: string, total: number | null = null): MoreSign => {
    return { at: named([...path, key]), total };
  };
  const add = (key: string, total: number | null = null): void => {
    said.signs.push(sign(key, total));
  };
  for (const [key, value] of Object.entries(object)) {
    const name = plain(key);
    const flag = MORE.test(name) ? asMore(value) : LAST.test(name) ? asFlag(value) : null;
    if (flag !== null) {
      const more = flag === MORE.test(name);
      if (more) said.flag = sign(key);
      else said.flag ??= false;
    } else if (NEXT.test(name)) {
      if (leads(value, answer.sent)) said.next ??= sign(key);
      else if (!isScalar(value) || value === false || isEmptyName(value)) said.noNext = true;
    } else if (CURSOR.test(name) || TOKEN.test(name)) {
      if ((typeof value === "string" || isObject(value)) && leads(value, answer.sent)) add(key);
    } else if (name === "token" && /^(pagination|paging|pageinfo)$/.test(within)) {
      if (typeof value === "string" && leads(value, answer.sent)) add(key);
    } else if (name === "offset" && typeof value === "string" && !/^\d*$/.test(value)) {
      if (leads(value, answer.sent)) add(key);
    } else if (name === "after" && names.includes("before") && within !== "cursors") {
      if (typeof value === "string" && leads(value, answer.sent)) add(key);
    } else if (REMAINING.test(name)) {
      const left = asNumber(value);
      if (left !== null && left > 0) add(key);
    } else if (PAGES.test(name)) {
      const pages = asNumber(value);
      const page = asNumber(object[keyOf(object, PAGE) ?? ""]) ?? 0;
      if (pages === null || answer.pages === null) continue;
      if (pages > Math.max(page, answer.pages)) add(key);
      else if (pages === 1 && answer.pages === 1) said.isOnePage = true;
    } else if (TOTAL.test(name) || (COUNT.test(name) && !hasTotal && !hasOffset)) {
      const total = asNumber(value);
      if (total === null || total < 0 || isMoney || !Number.isInteger(total)) continue;
      const mayBeOfPage = !TOTAL.test(name) && !name.startsWith("odata");
      said.signs.push({ ...sign(key, total), mayBeOfPage });
    }
  }
}

/** Looks at an object around the rows, and at the objects beside them that speak of paging. */
function readLevel(
  object: { readonly [key: string]: Json },
  path: readonly string[],
  rowsKey: string | undefined,
  answer: LastAnswer,
  said: Said,
): void {
  const own = Object.fromEntries(Object.entries(object).filter(([key]) => key !== rowsKey));
  readObject(own, path, answer, said);
  for (const [key, value] of Object.entries(own)) {
    if (!isObject(value) || !ENVELOPE.test(plain(key))) continue;
    readObject(value, [...path, key], answer, said);
    for (const [inner, deeper] of Object.entries(value)) {
      if (!isObject(deeper) || !ENVELOPE.test(plain(inner))) continue;
      readObject(deeper, [...path, key, inner], answer, said);
    }
  }
}

function readBody(answer: LastAnswer, said: Said): void {
  let level: Json | undefined = answer.body;
  for (const [at, key] of (answer.path ?? []).entries()) {
    if (isObject(level)) readLevel(level, (answer.path ?? []).slice(0, at), key, answer, said);
    const index = isArray(level) && /^\d+$/.test(key) ? Number(key) : null;
    if (isArray(level) && index !== null) {
      // `[{page, pages, total}, [row, …]]`
      for (const [place, each] of level.entries()) {
        if (place !== index && isObject(each)) readObject(each, [String(place)], answer, said);
      }
    }
    level = hasMember(level, key)
      ? level[key]
      : isArray(level) && /^\d+$/.test(key)
        ? level[Number(key)]
        : undefined;
  }
}

function readHeaders(answer: LastAnswer, said: Said): void {
  const { pages } = answer;
  for (const [header, value] of answer.headers) {
    const name = plain(header.replace(/^x-/i, ""));
    const sign = (total: number | null = null): MoreSign => ({ at: `header ${header}`, total });
    const number = asNumber(value);
    if (name === "link") {
      if (nextLink(value) !== null) said.next ??= { at: "Link: rel=next", total: null };
      else if (/\brel\s*=\s*"?(first|prev|last)\b/i.test(value)) said.noNext = true;
    } else if (name === "contentrange") {
      const total = asNumber(/\/(\d+)\s*$/.exec(value)?.[1]);
      if (total !== null) said.signs.push(sign(total));
    } else if (name.startsWith("has")) {
      const flag = asMore(value);
      if (flag === true) said.flag = sign();
      if (flag === false) said.flag ??= false;
    } else if (TOKEN_HEADER.test(header.toLowerCase())) {
      if (leads(value.trim(), answer.sent)) said.next ??= sign();
      else if (value.trim() === "") said.noNext = true;
    } else if (name.endsWith("pages")) {
      const more = number !== null && pages !== null && number > pages;
      if (more) said.signs.push(sign());
    } else if (number !== null && number > -1) {
      said.signs.push(sign(number));
    }
  }
}

const read = new WeakMap<LastAnswer, Said>();

/** All that an answer says, read once: several questions are asked about the end of each list. */
function readSigns(answer: LastAnswer): Said {
  const known = read.get(answer);
  if (known !== undefined) return known;
  const said = findSigns(answer);
  read.set(answer, said);
  return said;
}

function findSigns(answer: LastAnswer): Said {
  const said: Said = { signs: [], flag: null, noNext: false, isOnePage: false, next: null };
  if (answer.path === null) return said;
  readBody(answer, said);
  readHeaders(answer, said);
  return said;
}

const countSign = (answer: LastAnswer): MoreSign | null =>
  readSigns(answer).signs.find(({ total }) => total !== null) ?? null;

/** How many rows an answer says that there are in all; null if it does not. */
export const countedRows = (answer: LastAnswer): number | null => countSign(answer)?.total ?? null;

/** Whether as many rows were read as an answer says that there are in all. */
function isReached(answer: LastAnswer): boolean {
  const { total = null, mayBeOfPage = false } = countSign(answer) ?? {};
  const { rows, pages } = answer;
  if (total === null || rows === null) return false;
  return mayBeOfPage ? total === rows && (pages ?? 0) > 1 : total <= rows;
}

/** What the last answer of a list says of rows behind it. */
export interface EndSigns {
  /**
   * the clearest sign that rows are left unread (RUN-003): one that says how many there are in all, else that more
   * follow; null where nothing says so, or the answer says that none follow
   */
  readonly more: MoreSign | null;
  /** whether it says that there are no more than were read */
  readonly none: boolean;
}

/** Looks at the last answer of a list for signs that rows are left unread, or that none are. */
export function endSigns(answer: LastAnswer): EndSigns {
  const said = readSigns(answer);
  if (said.flag === false || (said.flag === null && said.next === null && said.noNext)) {
    return { more: null, none: true };
  }
  const { rows } = answer;
  const signs = said.signs.filter(({ total }) => total === null || (rows !== null && total > rows));
  const counted = signs.find(({ total }) => total !== null);
  const more = counted ?? (said.flag || said.next || signs[0] || null);
  const isAll = isReached(answer) || (said.isOnePage && more === null);
  return { more, none: isAll && !said.flag };
}

/** The number that an answer says its page has; null where it says none. */
export function saidPageNumber(body: Json, path: readonly string[] | null): number | null {
  if (path === null || !isObject(body)) return null;
  const beside = Object.entries(body).filter(
    ([key]) => ENVELOPE.test(plain(key)) && key !== path[0],
  );
  for (const level of [body, ...beside.map(([, value]) => value)]) {
    if (!isObject(level)) continue;
    const found = asNumber(level[keyOf(level, PAGE) ?? ""]);
    if (found !== null) return found;
  }
  return null;
}

/** `first`, `isFirstPage`: false says that others are before; `has_previous` says so by true. */
const FIRST = /^(is)?first(page|batch)?$/;
const BEFORE = new RegExp(`^has(prev|previous)${THINGS}$`);

/**
 * Where the first answer of a list says that it is not its first page: pages are counted from 0 there, and not from 1
 * (RUN-077). Null where it does not.
 */
export function beforeSign({ body, path }: LastAnswer): string | null {
  if (path === null || !isObject(body)) return null;
  const levels: (readonly [readonly string[], Json])[] = [[[], body]];
  for (const [key, value] of Object.entries(body)) {
    if (ENVELOPE.test(plain(key))) levels.push([[key], value]);
  }
  for (const [at, level] of levels) {
    if (!isObject(level)) continue;
    const found = Object.entries(level).find(
      ([key, value]) =>
        (FIRST.test(plain(key)) && asFlag(value) === false) ||
        (BEFORE.test(plain(key)) && asFlag(value) === true),
    );
    if (found !== undefined) return `${named([...at, found[0]])}: ${JSON.stringify(found[1])}`;
  }
  return null;
}

/** What search engines and indexes say of results that are not all they looked for. */
const INCOMPLETE = /^(incompleteresults|timedout|terminatedearly)$/;

/** Whether an answer says of itself that it was not made of all there is, so that no number in it is exact. */
export function saysIncomplete(body: Json): boolean {
  if (!isObject(body)) return false;
  const entries = Object.entries(body);
  const inside = entries.flatMap(([key, value]) =>
    isObject(value) && ENVELOPE.test(plain(key)) ? Object.entries(value) : [],
  );
  return [...entries, ...inside].some(
    ([key, value]) => INCOMPLETE.test(plain(key)) && asFlag(value) === true,
  );
}

const PAGING_HEADERS: ReadonlySet<string> = new Set([
  ...TOTAL_HEADERS,
  "content-range",
  "link",
  "x-has-more",
  "x-has-next",
  "x-has-next-page",
  "x-next-cursor",
  "x-next-page",
  "x-next-page-token",
  "x-next-token",
  "x-pagination-total-pages",
  "x-total-pages",
  "x-wp-totalpages",
]);

/** Names of headers that hold what asks for the next page: `x-ms-continuationtoken`, `x-next-marker`. */
const TOKEN_HEADER =
  /^x-(?:[a-z]+-)*(?:continuation(?:-?token)?|next-?(?:token|marker|cursor|page-?token|page|link|url|offset|key)|page-?(?:token|cookie|cursor)|paging-?(?:token|cookie)|(?:end-?)?cursor)$/;

/** Whether a header says how a list goes on; recordings keep these, so that a replay is judged alike. */
export const isPagingHeader = (name: string): boolean => {
  const key = name.toLowerCase();
  return PAGING_HEADERS.has(key) || (key.startsWith("x-") && TOKEN_HEADER.test(key));
};

/** One link of a `Link` header: `<target>; name=value; …` */
const LINK = /<([^<>]*)>((?:\s*;\s*[\w!#$&+.^`|~*-]+(?:\s*=\s*(?:"[^"]*"|[^\s;,"]+))?)*)/g;
const REL = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/i;

const NEXT_RELATION = /next/i;

/** The target of the link with relation `next` in a `Link` header, or null (RUN-074). */
export function nextLink(header: string): string | null {
  // Most answers are the last page, and name none.
  if (!NEXT_RELATION.test(header)) return null;
  for (const [, target, parameters = ""] of header.matchAll(LINK)) {
    const rel = REL.exec(parameters);
    const relations = (rel?.[1] ?? rel?.[2] ?? "").toLowerCase().split(/\s+/);
    if (relations.includes("next") && target !== undefined) return target;
  }
  return null;
}
