import type { Pagination, RequestTemplate } from "./template.ts";

/** Headers by which APIs say how many rows a list has in all; recordings keep them, so that a replay counts alike. */
export const TOTAL_HEADERS: readonly string[] = [
  "total-count",
  "x-count-total",
  "x-pagination-total-count",
  "x-result-count",
  "x-total",
  "x-total-count",
  "x-total-items",
  "x-total-records",
  "x-total-results",
  "x-wp-total",
];

const names = (text: string): ReadonlySet<string> => new Set(text.split(" "));

const SIZES = names("size limit perpage pagesize maxresults count first top take");
const OFFSETS = names(
  "offset start startat startindex skip from first firstrow firstresult firstrecord firstitem skiprecords",
);
const PLACES = names(
  "page pagenumber pageno pageindex pagenum cursor pagetoken nexttoken marker after before",
);

/** So many names are remembered: those of a few catalogs. */
const MOST_REMEMBERED = 4_096;

const remembered = new Map<string, string>();

/**
 * A name as names of paging are compared: `offset` of `page[offset]` and `query.offset` (RUN-071, RUN-073). Every request asks about the
 * few names that its catalog has.
 */
export function plainPageName(name: string): string {
  const known = remembered.get(name);
  if (known !== undefined) return known;
  const plain = name
    .replace(/^.*\[([^[\]]+)\]$/, "$1")
    .replace(/^.*\.(?=[^.]+$)/, "")
    .toLowerCase()
    .replace(/[_$-]/g, "");
  if (remembered.size >= MOST_REMEMBERED) remembered.clear();
  remembered.set(name, plain);
  return plain;
}

/** Whether a parameter of this name says how many rows lie before the page. */
export const isOffsetName = (name: string): boolean => OFFSETS.has(plainPageName(name));

/** Whether a parameter of this name says how many rows a page has. */
export const isSizeName = (name: string): boolean => SIZES.has(plainPageName(name));

/** Whether a parameter of this name may say which page is asked for. */
export const isPlaceName = (name: string): boolean =>
  !isSizeName(name) && (isOffsetName(name) || PLACES.has(plainPageName(name)));

/** Whether a parameter of this name may say which page is asked for, or how long it is. */
export const isPageName = (name: string): boolean => isSizeName(name) || isPlaceName(name);

/** The declared rows per page of a counter-paged list, or null (PLAN-020, RUN-073). */
export function declaredPageSize(template: RequestTemplate): number | null {
  if (template.transport !== "http" && template.transport !== "graphql") return null;
  const { pagination } = template;
  if (pagination === undefined || !isCounterPaged(pagination)) return null;
  for (const param of pagination.params) {
    if (param.form !== "fixed" || !isSizeName(param.name)) continue;
    if (typeof param.value === "number" && param.value >= 1) return Math.floor(param.value);
  }
  return null;
}

/** Whether a list is paged by a counter whose start and unit are assumed (RUN-190). */
export const hasAssumedCounter = (template: RequestTemplate): boolean =>
  (template.transport === "http" || template.transport === "graphql") &&
  template.pagination?.params.some(
    (param) => param.form === "counter" && param.assumed !== undefined,
  ) === true;

function isCounterPaged({ params, location }: Pagination): boolean {
  const inRequest = location === "query" || location === "body";
  return inRequest && params.some((param) => param.form === "counter");
}
