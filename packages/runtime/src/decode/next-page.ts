import { createHash } from "node:crypto";
import type { Json } from "@plasm/core";
import { isOffsetName, type Pagination } from "@plasm/core/internal";
import type { DiagnosticLog } from "../base/diagnostic.ts";
import { isArray } from "../base/json-kinds.ts";
import { followDotted, followResponse } from "./response-body.ts";
import { secondPage, shownBy, shownByRefusal, type Shown } from "./assumed-counter.ts";
import { namesNothing, nextLink } from "./more-signs.ts";
import { declaredSize, isFullPage, mayBeLimit, sizedEnd, sizeParam } from "./page-size.ts";
import { assumedCounter, type PageFacts, type PageState } from "./page-state.ts";

const digest = (text: string): string =>
  createHash("sha256").update(text).digest("base64url").slice(0, 12);

type Mode = "none" | "size" | "url" | "cursor" | "counter";

/** Whether pages are asked for by what the one before said, and not by number (RUN-072). */
export const isKeyset = ({ params }: Pagination): boolean =>
  params.some(({ form }) => form === "from_response" || form === "from_last");

/** How a list goes on, by what its pagination declares (RUN-072). */
function pagingMode(pagination: Pagination | undefined): Mode {
  if (pagination === undefined) return "none";
  const { location, params } = pagination;
  if (location === "link_header" || location === "response_next_url") return "url";
  if (isKeyset(pagination)) return "cursor";
  if (sizeParam(pagination) !== null) return "size";
  return params.some((param) => param.form === "counter") ? "counter" : "none";
}

function stops(pagination: Pagination, scope: Json | undefined): boolean {
  const rule = pagination.stopWhen;
  if (rule === undefined) return false;
  const value = followDotted(scope, rule.field);
  if ("absent" in rule) return value === undefined || value === null;
  return value !== undefined && JSON.stringify(value) === JSON.stringify(rule.eq);
}

interface Step {
  readonly pagination: Pagination;
  readonly state: PageState;
  readonly facts: PageFacts;
  readonly scope: Json | undefined;
  readonly log: DiagnosticLog;
}

/** The state after a page; `early` says why nothing more is asked for, where the API did not end the list itself. */
interface After {
  readonly state: PageState;
  readonly early?: string;
  /** the state to go on with where the page may have been cut to what the API gives at once */
  readonly capped?: PageState;
  /** the state that asks again for a list without pages, for more rows at once (RUN-201) */
  readonly larger?: PageState;
}

const ended = (step: Step): PageState => ({
  ...step.state,
  page: step.state.page + 1,
  ended: true,
  url: null,
});

const end = (step: Step): After => ({ state: ended(step) });

/** Ends a list whose API goes on, or goes round. */
const endEarly = (step: Step, early: string): After => ({ state: ended(step), early });

/**
 * Ends a list whose answer has no member or header that would name the next page. Behind a full first page of an import
 * nothing says that the API has such names at all (RUN-202); many that have them leave them out at the end, as the
 * authors of catalogs know.
 */
function endUnnamed(step: Step): After {
  const { pagination, state, facts } = step;
  const { rowCount } = facts;
  if (state.page > 0 || !isFullPage(pagination, rowCount)) return end(step);
  return endEarly(step, `the first page is full (${rowCount} rows), and names no next one`);
}

const ROUND = "the API names a page that was read already";

/** How many empty pages in a row there are. */
const emptyPages = ({ facts, state }: Step): number => (facts.rowCount === 0 ? state.empty + 1 : 0);

/** Passes over empty pages, but not over too many of them in a row (RUN-073). */
function endEmpty(step: Step, mostEmpty: number): After {
  step.log.add("empty_pages", `${mostEmpty} empty pages in a row`);
  return endEarly(step, `${mostEmpty} empty pages in a row, and the API names a next one`);
}

function nextUrl(step: Step, mostEmpty: number): After {
  const { pagination, facts, state } = step;
  const raw =
    pagination.location === "link_header"
      ? nextLink(facts.linkHeader ?? "")
      : followDotted(step.scope, pagination.responseNextUrlField);
  const isUnsaid =
    pagination.location === "link_header" ? facts.linkHeader === null : raw === undefined;
  if (isUnsaid) return endUnnamed(step);
  if (typeof raw !== "string" || namesNothing(raw) || !URL.canParse(raw, facts.requestUrl)) {
    return end(step);
  }
  const url = new URL(raw, facts.requestUrl).href;
  const mark = digest(url);
  if (url === facts.requestUrl || state.seen.includes(mark)) {
    step.log.add("cursor_repeated", "the next URL was already read");
    return endEarly(step, ROUND);
  }
  const empty = emptyPages(step);
  if (empty >= mostEmpty) return endEmpty(step, mostEmpty);
  return { state: { ...state, page: state.page + 1, url, empty, seen: [...state.seen, mark] } };
}

/** Whether a cursor is one by which APIs say that there is no other: `0` and `-1` would begin again. */
const isNoPlace = (value: Json): boolean =>
  value === 0 || value === -1 || (typeof value === "string" && /^(0|-1|null|none)$/i.test(value));

function nextCursor(step: Step, mostEmpty: number): After {
  const { pagination, state } = step;
  const values: Record<string, Json> = { ...state.values };
  let mark = "";
  for (const param of pagination.params) {
    if (param.form !== "from_response" && param.form !== "from_last") continue;
    const scope = param.form === "from_last" ? step.facts.last : step.scope;
    const value = followDotted(scope, param.path);
    if (value === undefined) return endUnnamed(step);
    if (value === null || value === "") return end(step);
    if (isArray(value) && value.length === 0) return end(step);
    if (param.form === "from_response" && isNoPlace(value)) return end(step);
    values[param.name] = value;
    mark += `${param.name}=${JSON.stringify(value)};`;
  }
  const unchanged = Object.entries(values).every(([name, v]) => state.values[name] === v);
  if (unchanged || state.seen.includes(digest(mark))) {
    step.log.add("cursor_repeated", "the cursor of the next page was already sent");
    // A cursor that stays where it is, on an empty page, stands at the end.
    return unchanged && step.facts.rowCount === 0 ? end(step) : endEarly(step, ROUND);
  }
  const empty = emptyPages(step);
  if (empty >= mostEmpty) return endEmpty(step, mostEmpty);
  const page = state.page + 1;
  const seen = [...state.seen, digest(mark)];
  return { state: { ...state, page, values: advance(step, values), empty, seen } };
}

/** The counters of the next page; an offset goes by rows where the API gave fewer of them than its step passes over. */
function advance(
  step: Step,
  values: Readonly<Record<string, Json>>,
  isCapped = false,
): Record<string, Json> {
  const next: Record<string, Json> = { ...values };
  for (const param of step.pagination.params) {
    if (param.form !== "counter") continue;
    const current = next[param.name];
    const { unit } = step.state;
    const isOffset = unit === undefined ? isOffsetName(param.name) : unit === "rows";
    const declared = isOffset && isCapped ? undefined : param.step;
    const by = declared ?? (isOffset ? step.facts.rowCount : 1);
    next[param.name] = (typeof current === "number" ? current : param.start) + by;
  }
  return next;
}

/** What tells the rows of a page apart: their identities, else all that they have. */
const rowMarks = ({ identities, wire }: PageFacts): readonly string[] =>
  identities.map((identity, at) => digest(identity ?? JSON.stringify(wire[at])));

/** What tells a page from others; null where its rows cannot be told apart themselves. */
function pageMark(facts: PageFacts): string | null {
  if (isNamed(facts)) return digest(JSON.stringify(facts.identities));
  const marks = rowMarks(facts);
  return new Set(marks).size > 1 ? digest(marks.join()) : null;
}

const isNamed = ({ identities }: PageFacts): boolean =>
  identities.every((identity) => identity !== null);

/**
 * Whether a first page with fewer rows than asked for may be all that the API gives at once: most such limits are
 * multiples of 10 or 25. Without keys few could tell whether the next page is this one again. Of what a document leaves
 * open less is believed (RUN-190), and of one that says what the API gives by itself any number from that on (RUN-200).
 */
function mayBeCapped({ pagination, state, facts }: Step): boolean {
  const { rowCount } = facts;
  const usual = declaredSize(pagination.params)?.usual ?? null;
  if (usual !== null && rowCount >= usual) return state.page === 0;
  if (state.assumed !== undefined) return state.page === 0 && mayBeLimit(rowCount);
  const isRound = rowCount % 10 === 0 || rowCount % 25 === 0;
  const steps = pagination.params.some(
    (param) => param.form === "counter" && param.step !== undefined && !isOffsetName(param.name),
  );
  return state.page === 0 && isRound && !steps && isNamed(facts);
}

/** The state behind a page; behind the first of an assumed counter the page that shows what it counts. */
function behindFirst({ pagination, state, facts }: Step, onward: PageState): PageState {
  const param = assumedCounter(pagination);
  if (param === null || state.assumed === undefined) return onward;
  return asking(onward, param.name, secondPage(param, facts, rowMarks(facts)));
}

/** The state that asks for another page of an assumed counter. */
function asking(
  { assumed: _before, ...state }: PageState,
  name: string,
  { value, kind: _kind, ...shown }: Extract<Shown, { readonly kind: "ask" }>,
): PageState {
  return { ...state, values: { ...state.values, [name]: value }, ...shown };
}

/** The state after a page that showed something of an assumed counter, and whose rows are not given. */
export function afterShown(
  state: PageState,
  name: string,
  shown: Exclude<Shown, { readonly kind: "rows" }>,
): After {
  if (shown.kind === "ask") return { state: asking(state, name, shown) };
  const { assumed: _open, ...known } = state;
  const last = { ...known, page: state.page + 1, ended: true };
  // A first page with fewer rows than asked for may well be all.
  const early = state.cap === undefined ? shown.early : undefined;
  return early === undefined ? { state: last } : { state: last, early };
}

/** What follows a page that shows what an assumed counter counts (RUN-190); null where all is known. */
function nextShown(step: Step): NextPage | null {
  const { pagination, state, facts } = step;
  const param = assumedCounter(pagination);
  const { assumed } = state;
  if (param === null || assumed === undefined) return null;
  if (assumed.ask === "first") {
    const shown = facts.rowCount > 0 ? null : shownByRefusal(param, state, 404);
    return shown === null || shown.kind === "rows"
      ? null
      : { ...afterShown(state, param.name, shown), repeated: true };
  }
  const shown = shownBy(param, assumed, facts, rowMarks(facts));
  if (shown.kind !== "rows") {
    return { ...afterShown(state, param.name, shown), repeated: true };
  }
  const { assumed: _open, ...known } = state;
  const settled: Step = { ...step, state: { ...known, unit: shown.unit } };
  const after = stops(pagination, step.scope) ? end(settled) : nextCounter(settled);
  return { ...after, repeated: false, overlap: shown.overlap };
}

const UNEVEN =
  "pages had fewer rows than were asked for, and others followed: behind one without rows, too, there may be more";

/**
 * How the pages of a list differ that is read until one has no rows: shorter than one before it, or with others behind
 * such a page, as where an API leaves rows out of a page after it made it (RUN-200).
 */
function unevenness({ state, facts }: Step, cap: number): PageState["uneven"] {
  if (state.uneven !== undefined || facts.rowCount > cap) return "shown";
  return facts.rowCount < cap ? "short" : undefined;
}

function nextCounter(step: Step): After {
  const { pagination, state, facts } = step;
  const { uneven: before, ...even } = state;
  if (facts.rowCount === 0) return before === "shown" ? endEarly(step, UNEVEN) : end(step);
  const previous = pageMark(facts);
  const size = declaredSize(pagination.params);
  const { cap } = state;
  // Behind a short first page that was not the last no number of rows ends a list whose size is a document's.
  const isOpen = cap !== undefined && size !== null && size.usual !== null;
  const most = cap ?? size?.asked ?? null;
  const isLast =
    pagination.stopWhen === undefined && !isOpen && most !== null && facts.rowCount < most;
  const isCapped = isLast && mayBeCapped(step);
  const values = advance(step, state.values, isCapped || cap !== undefined);
  const uneven = isOpen ? unevenness(step, cap) : undefined;
  const next = { ...even, page: state.page + 1, values, previous };
  const onward = behindFirst(step, uneven === undefined ? next : { ...next, uneven });
  if (!isLast) return { state: onward };
  return isCapped ? { ...end(step), capped: { ...onward, cap: facts.rowCount } } : end(step);
}

/** What follows the answer of a list that has no pages: it ends, or is asked for again with more rows (RUN-201). */
function nextSized(step: Step): After {
  const { pagination, state, facts } = step;
  const param = sizeParam(pagination);
  if (param === null) return end(step);
  const { early, most } = sizedEnd(param, {
    rows: facts.rowCount,
    before: state.page > 0 ? (state.rows ?? 0) : null,
    asked: state.size ?? null,
    isNamed: isNamed(facts),
  });
  const after = early === null ? end(step) : endEarly(step, early);
  if (most === null) return after;
  const values = { [param.name]: most };
  return { ...after, larger: { ...state, page: state.page + 1, values, size: most } };
}

/** What follows a page; `repeated` pages hold only rows of the page before. */
export interface NextPage extends After {
  readonly repeated: boolean;
  /** how many of its rows were to be expected again */
  readonly overlap?: number;
}

/**
 * A page that repeats the one before. Behind the second page, an API that has come to its end gives its last page
 * again; if the second repeats the first, it may never have looked at which page it was asked for.
 */
const endRepeated = (step: Step): After =>
  step.state.page > 1
    ? end(step)
    : endEarly(step, "the API answers the second page with the first, and may not look at which");

/**
 * What follows a page: what the next request sends, or that there is none (RUN-071 to RUN-073).
 * A counter page that repeats the one before ends the list with diagnostic `page_repeated`.
 */
export function nextPage(
  pagination: Pagination | undefined,
  state: PageState,
  facts: PageFacts,
  log: DiagnosticLog,
  mostEmpty: number,
): NextPage {
  const mode = pagingMode(pagination);
  if (pagination === undefined || mode === "none") {
    return { state: { ...state, page: state.page + 1, ended: true }, repeated: false };
  }
  const scope = followResponse(facts.body, pagination.responsePrefix);
  const step: Step = { pagination, state, facts, scope, log };
  const shown = mode === "counter" ? nextShown(step) : null;
  if (shown !== null) return shown;
  if (mode === "counter" && facts.rowCount > 0 && pageMark(facts) === state.previous) {
    if (state.cap !== undefined && state.page === 1) return { ...end(step), repeated: true };
    if (state.previous !== null) {
      log.add("page_repeated", "a page repeats the rows of the one before");
      return { ...endRepeated(step), repeated: true };
    }
  }
  if (stops(pagination, scope)) return { ...end(step), repeated: false };
  return { ...onward(mode, step, mostEmpty), repeated: false };
}

function onward(mode: Exclude<Mode, "none">, step: Step, mostEmpty: number): After {
  switch (mode) {
    case "url":
      return nextUrl(step, mostEmpty);
    case "cursor":
      return nextCursor(step, mostEmpty);
    case "counter":
      return nextCounter(step);
    case "size":
      return nextSized(step);
  }
}
