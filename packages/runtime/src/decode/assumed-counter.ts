import { isOffsetName, plainPageName } from "@plasm/core/internal";
import type { Assumed, CounterParam, PageFacts, PageState, Unit } from "./page-state.ts";

/** What a page shows of an assumed counter. */
export type Shown =
  /** its rows follow those of the first page, but for `overlap` of them, and all is known */
  | { readonly kind: "rows"; readonly unit: Unit; readonly overlap: number }
  /** its rows are none of the next: another is asked for; without `assumed` all is known */
  | {
      readonly kind: "ask";
      readonly value: number;
      readonly assumed?: Assumed;
      readonly unit?: Unit;
      /** the first page had more rows than this one, which begins alike: those that follow may be among them */
      readonly again?: true;
    }
  /** `early`: why, where it was not the API that ended the list */
  | { readonly kind: "end"; readonly early?: string };

const IGNORED = "the API answers the second page with the first, and may not look at which";
const FAR = "the API answers a page far behind, and none behind the first";

/** What is asked for behind the first page: a number, and what it is to show. */
export function secondPage(
  param: CounterParam,
  { rowCount, number }: PageFacts,
  first: readonly string[],
): Extract<Shown, { readonly kind: "ask" }> {
  if (isOffsetName(param.name)) {
    // The last row of the first page again: an API that counts pages has others there.
    return rowCount < 2
      ? { kind: "ask", value: rowCount }
      : { kind: "ask", value: rowCount - 1, assumed: { ask: "second", first } };
  }
  return number === 1
    ? { kind: "ask", value: 2, assumed: { ask: "numbered", first } }
    : { kind: "ask", value: 1, assumed: { ask: "second", first } };
}

/** What a page behind the first shows of the counter it was asked by. */
export function shownBy(
  param: CounterParam,
  assumed: Assumed,
  { number }: PageFacts,
  marks: readonly string[],
): Shown {
  const { ask, first, far } = assumed;
  const seen = new Set(first);
  const overlap = marks.filter((mark) => seen.has(mark)).length;
  const isFirst = overlap * 2 > Math.min(first.length, marks.length);
  switch (ask) {
    case "numbered":
      return number === 2
        ? { kind: "rows", unit: "pages", overlap }
        : { kind: "ask", value: 1, assumed: { ask: "second", first } };
    case "whole":
      if (marks.length === 0) return { kind: "end" };
      return isFirst ? { kind: "end", early: IGNORED } : { kind: "rows", unit: "rows", overlap };
    case "one":
      if (marks.length === 0) return far === true ? { kind: "end", early: FAR } : { kind: "end" };
      return { kind: "rows", unit: isFirst ? "rows" : "pages", overlap };
    case "first":
    case "second":
  }
  if (isOffsetName(param.name)) {
    if (overlap === 0) {
      const found = marks.length > 0 ? { far: true as const } : {};
      return { kind: "ask", value: 1, assumed: { ask: "one", first, ...found } };
    }
    return seen.size > 1 && overlap >= first.length
      ? { kind: "ask", value: first.length, assumed: { ask: "whole", first } }
      : { kind: "rows", unit: "rows", overlap };
  }
  if (marks.length === 0) return { kind: "end" };
  if (!isFirst) return { kind: "rows", unit: "pages", overlap };
  // `page_offset` may be either: by rows, the second of the first page is the first of this one.
  const mayBeRows = plainPageName(param.name).includes("offset");
  if (mayBeRows && seen.size > 1 && marks[0] === first[1]) {
    return { kind: "rows", unit: "rows", overlap };
  }
  const again = first.length > marks.length ? { again: true as const } : {};
  return { kind: "ask", value: 2, unit: "pages", ...again };
}

/** Statuses by which APIs say that there is no such page. */
const GONE = new Set([404, 410, 416]);
/** Statuses by which they refuse a number that they do not take. */
const UNFIT = new Set([400, 422]);

/** What a refused page shows of an assumed counter; null where it shows nothing. */
export function shownByRefusal(
  param: CounterParam,
  { assumed, values }: PageState,
  status: number,
): Shown | null {
  if (assumed === undefined) return null;
  const { ask, first, far } = assumed;
  const isGone = GONE.has(status);
  if (!isGone && !UNFIT.has(status) && ask !== "first") return null;
  const isOffset = isOffsetName(param.name);
  switch (ask) {
    case "first": {
      // The first page was asked for by number 0: pages may be counted from 1.
      const isZero = values[param.name] === 0 && !isOffset;
      const mayBe = isGone || UNFIT.has(status) || status === 500;
      return isZero && mayBe ? { kind: "ask", value: 1, unit: "pages" } : null;
    }
    case "numbered":
      return { kind: "ask", value: 1, assumed: { ask: "second", first } };
    case "second":
      if (!isOffset) return isGone ? { kind: "end" } : null;
      return isGone
        ? { kind: "ask", value: 1, assumed: { ask: "one", first } }
        : { kind: "ask", value: first.length, assumed: { ask: "whole", first } };
    case "one":
      return !isGone ? null : far === true ? { kind: "end", early: FAR } : { kind: "end" };
    case "whole":
      return isGone ? { kind: "end" } : null;
  }
}
