import type { Json, JsonObject } from "@plasm/core";
import type { Pagination } from "@plasm/core/internal";

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
  /** how many rows the API counted in all when it did so first */
  readonly total?: number;
  /** of a list that has ended: what its last answer says of rows behind that */
  readonly unread?: string;
};

/** What one page held, as far as paging needs it. */
export interface PageFacts {
  readonly body: Json;
  readonly linkHeader: string | null;
  /** the URL that was requested, against which relative next URLs are resolved */
  readonly requestUrl: string;
  readonly rowCount: number;
  /** the last row as it came; undefined on an empty page */
  readonly last: Json | undefined;
  /** identities of the rows, null where one has none */
  readonly identities: readonly (string | null)[];
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
  const values: Record<string, Json> = {};
  for (const param of pagination.params) {
    const given = Object.hasOwn(args, param.name) ? args[param.name] : undefined;
    if (param.form === "counter") {
      const number = typeof given === "string" ? Number(given) : given;
      values[param.name] =
        typeof number === "number" && !Number.isNaN(number) ? number : param.start;
    } else if (param.form !== "fixed" && given !== undefined && given !== null) {
      values[param.name] = given;
    }
  }
  return { ...SINGLE_PAGE, values };
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
