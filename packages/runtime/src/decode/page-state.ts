import type { Json, JsonObject } from "@plasm/core";
import type { PageParam, Pagination } from "@plasm/core/internal";
import { givenSize, sizeParam } from "./page-size.ts";

/** A parameter of paging that counts. */
export type CounterParam = Extract<PageParam, { readonly form: "counter" }>;

/** What a counter counts. */
export type Unit = "pages" | "rows";

/**
 * What is not known yet of a counter whose start and unit its document does not say (RUN-190): which page is asked for
 * now, and what tells the rows of the first apart.
 */
export type Assumed = {
  /**
   * `second`: the page that shows what is counted, and from where; `numbered`: the same where the answer says that the first
   * is number 1; `whole`: the page behind the first by rows; `one`: the page with number 1
   */
  readonly ask: "first" | "second" | "numbered" | "whole" | "one";
  readonly first: readonly string[];
  /** a page that is asked for by rows had some, though none of the first */
  readonly far?: true;
};

/**
 * Where a paged list stands: what the next request sends. Plain JSON, since cursors keep it
 * (RUN-076); holds no credential.
 */
export type PageState = {
  /** pages read so far */
  readonly page: number;
  readonly ended: boolean;
  /** current value of each counter and of each cursor that is known, by parameter */
  readonly values: JsonObject;
  /** the next URL of link_header and response_next_url */
  readonly url: string | null;
  /** empty pages in a row */
  readonly empty: number;
  /** digest of the previous page's identities, to notice a page that repeats it */
  readonly previous: string | null;
  /** digests of the cursors and URLs already sent */
  readonly seen: readonly string[];
  /** rows of the pages read so far */
  readonly rows?: number;
  /** rows of a first page that the API seems to have cut to what it gives at once: no page has more (RUN-073) */
  readonly cap?: number;
  /** of pages that are asked for as long as there are rows: how the last one was shorter than one before it (RUN-200) */
  readonly uneven?: "short" | "shown";
  /** how many rows were asked for of a list that has no pages (RUN-201) */
  readonly size?: number;
  /** what is not known yet of a counter whose start and unit are assumed (RUN-190) */
  readonly assumed?: Assumed;
  /** what such a counter counts, as the API has shown */
  readonly unit?: Unit;
  /** its first page may hold rows of others: the API gave more of them where no page was asked for */
  readonly again?: boolean;
  /** what the last answer said of rows behind it, where pages are counted */
  readonly more?: string;
  /** how many rows the API counted in all when it did so first */
  readonly total?: number;
  /** of a list that has ended: what its last answer says of rows behind that */
  readonly unread?: string;
};

/** The counter whose start and unit are assumed, if there is one. */
export const assumedCounter = (pagination: Pagination | undefined): CounterParam | null =>
  pagination?.params.find(
    (param): param is CounterParam => param.form === "counter" && param.assumed !== undefined,
  ) ?? null;

/** What one page held, as far as paging needs it. */
export interface PageFacts {
  readonly body: Json;
  readonly linkHeader: string | null;
  /** the URL that was requested, against which relative next URLs are resolved */
  readonly requestUrl: string;
  readonly rowCount: number;
  /** the last row as it came; undefined on an empty page */
  readonly last: Json | undefined;
  /** its rows as they came */
  readonly wire: readonly Json[];
  /** identities of the rows, null where one has none */
  readonly identities: readonly (string | null)[];
  /** the number that the answer says its page has; null where it says none */
  readonly number: number | null;
}

/** The state before the first page of a list that has no pagination: one page, then the end. */
const SINGLE_PAGE: PageState = Object.freeze({
  page: 0,
  ended: false,
  values: {},
  url: null,
  empty: 0,
  previous: null,
  seen: [],
  rows: 0,
});

/**
 * The state before the first page: counters at their declared value or at the caller's argument of
 * that name, cursors at the caller's argument or omitted (RUN-071, RUN-072).
 */
export function firstPage(pagination: Pagination | undefined, args: JsonObject): PageState {
  if (pagination === undefined) return SINGLE_PAGE;
  const sized = sizeParam(pagination);
  if (sized !== null) {
    const given = givenSize(sized, args);
    return given === null ? SINGLE_PAGE : { ...SINGLE_PAGE, size: given.rows };
  }
  const values: Record<string, Json> = {};
  for (const param of pagination.params) {
    const given = Object.hasOwn(args, param.name) ? args[param.name] : undefined;
    if (param.form === "counter") {
      const number = typeof given === "string" ? Number(given) : given;
      const isGiven = typeof number === "number" && !Number.isNaN(number);
      if (isGiven) values[param.name] = number;
      else if (param.assumed !== "omit") values[param.name] = param.start;
    } else if (param.form !== "fixed" && given !== undefined && given !== null) {
      values[param.name] = given;
    }
  }
  const counter = assumedCounter(pagination);
  // A page that the caller names is where the list begins.
  const isGiven =
    counter !== null && args[counter.name] !== undefined && args[counter.name] !== null;
  return counter === null || isGiven
    ? { ...SINGLE_PAGE, values }
    : { ...SINGLE_PAGE, values, assumed: { ask: "first", first: [] } };
}

/** The parameters that the next request carries: fixed ones as declared, counters, known cursors. */
export function pageParameters(pagination: Pagination, state: PageState): JsonObject {
  const sent: Record<string, Json> = {};
  for (const param of pagination.params) {
    if (param.form === "fixed") sent[param.name] = param.value;
    else {
      const value = state.values[param.name];
      if (value !== undefined) sent[param.name] = value;
    }
  }
  return sent;
}
