import type { Json, JsonObject, Pagination } from "@plasm/core";
import type { PageState } from "./page-state.ts";

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
