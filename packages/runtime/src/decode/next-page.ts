import { createHash } from "node:crypto";
import type { Json } from "@plasm/core";
import { isOffsetName, isSizeName, type PageParam, type Pagination } from "@plasm/core/internal";
import type { DiagnosticLog } from "../base/diagnostic.ts";
import { isArray } from "../base/json-kinds.ts";
import { followDotted, followResponse } from "./response-body.ts";
import { nextLink } from "./more-signs.ts";
import type { PageFacts, PageState } from "./page-state.ts";

const digest = (text: string): string =>
  createHash("sha256").update(text).digest("base64url").slice(0, 12);

type Mode = "none" | "url" | "cursor" | "counter";

/** Whether pages are asked for by what the one before said, and not by number (RUN-072). */
export const isKeyset = ({ params }: Pagination): boolean =>
  params.some(({ form }) => form === "from_response" || form === "from_last");

/** How a list goes on, by what its pagination declares (RUN-072). */
function pagingMode(pagination: Pagination | undefined): Mode {
  if (pagination === undefined) return "none";
  const { location, params } = pagination;
  if (location === "link_header" || location === "response_next_url") return "url";
  if (isKeyset(pagination)) return "cursor";
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
  if (typeof raw !== "string" || raw === "" || !URL.canParse(raw, facts.requestUrl)) {
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

function nextCursor(step: Step, mostEmpty: number): After {
  const { pagination, state } = step;
  const values: Record<string, Json> = { ...state.values };
  let mark = "";
  for (const param of pagination.params) {
    if (param.form !== "from_response" && param.form !== "from_last") continue;
    const scope = param.form === "from_last" ? step.facts.last : step.scope;
    const value = followDotted(scope, param.path);
    if (value === undefined || value === null || value === "") return end(step);
    if (isArray(value) && value.length === 0) return end(step);
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
    const isOffset = isOffsetName(param.name);
    const declared = isOffset && isCapped ? undefined : param.step;
    const by = declared ?? (isOffset ? step.facts.rowCount : 1);
    next[param.name] = (typeof current === "number" ? current : param.start) + by;
  }
  return next;
}

function declaredSize(params: readonly PageParam[]): number | null {
  for (const param of params) {
    if (param.form !== "fixed" || !isSizeName(param.name)) continue;
    const size = Number(param.value);
    if (Number.isInteger(size) && size > 0) return size;
  }
  return null;
}

function identitiesMark(facts: PageFacts): string | null {
  const named = facts.identities.every((identity) => identity !== null);
  return named ? digest(JSON.stringify(facts.identities)) : null;
}

/**
 * Whether a first page with fewer rows than asked for may be all that the API gives at once: most such limits are
 * multiples of 10 or 25. Without keys nobody could tell whether the next page is this one again.
 */
function mayBeCapped({ pagination, state, facts }: Step): boolean {
  const isRound = facts.rowCount % 10 === 0 || facts.rowCount % 25 === 0;
  const steps = pagination.params.some(
    (param) => param.form === "counter" && param.step !== undefined && !isOffsetName(param.name),
  );
  return state.page === 0 && isRound && !steps && identitiesMark(facts) !== null;
}

function nextCounter(step: Step): After {
  const { pagination, state, facts } = step;
  if (facts.rowCount === 0) return end(step);
  const previous = identitiesMark(facts);
  const size = state.cap ?? declaredSize(pagination.params);
  const isLast = pagination.stopWhen === undefined && size !== null && facts.rowCount < size;
  const isCapped = isLast && mayBeCapped(step);
  const values = advance(step, state.values, isCapped || state.cap !== undefined);
  const onward = { ...state, page: state.page + 1, values, previous };
  if (!isLast) return { state: onward };
  return isCapped ? { ...end(step), capped: { ...onward, cap: facts.rowCount } } : end(step);
}

/** What follows a page; `repeated` pages hold only rows of the page before. */
export interface NextPage extends After {
  readonly repeated: boolean;
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
  if (mode === "counter" && facts.rowCount > 0 && identitiesMark(facts) === state.previous) {
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
  }
}
