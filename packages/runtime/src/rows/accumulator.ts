import {
  compareSortKeys,
  ExactSum,
  type Json,
  type SortKey,
  sortKey,
  type ValueType,
} from "@plasm/core";
import { expectedOf } from "./cell-key.ts";

export type AggregateFn = "count" | "sum" | "avg" | "min" | "max";

/** One aggregate while rows are read (LANG-066). */
export interface Accumulator {
  /** Takes a cell that is not null; false if it does not fit, so that it counts as null. */
  take(cell: Json): boolean;
  result(): Json;
  /** what cells must be, for a message */
  readonly expected: string;
}

function counted(type: ValueType): Accumulator {
  let count = 0;
  return {
    expected: expectedOf(type),
    take(cell) {
      const fits = sortKey(cell, type) !== null;
      if (fits) count += 1;
      return fits;
    },
    result: () => count,
  };
}

/** Cells of json are what they turn out to be: numbers, and the text of numbers no double holds. */
function summed(isAverage: boolean): Accumulator {
  const sum = new ExactSum();
  let count = 0;
  return {
    expected: "a number",
    take(cell) {
      const fits = (typeof cell === "number" || typeof cell === "string") && sum.add(cell);
      if (fits) count += 1;
      return fits;
    },
    result() {
      if (!isAverage) return sum.total();
      return count === 0 ? null : sum.mean(count);
    },
  };
}

/** The first of the least or greatest cells, as it stands. */
function extreme(type: ValueType, sign: 1 | -1): Accumulator {
  let best: { readonly key: SortKey; readonly cell: Json } | null = null;
  return {
    expected: type.kind === "json" ? "a number or text" : expectedOf(type),
    take(cell) {
      const scalar = typeof cell === "number" || typeof cell === "string";
      const key = scalar ? sortKey(cell, type) : null;
      if (key === null) return false;
      if (best === null || sign * compareSortKeys(key, best.key) < 0) best = { key, cell };
      return true;
    },
    result: () => best?.cell ?? null,
  };
}

/** An aggregate of cells of a type, of none so far: count and sum are then 0, others null (LANG-066). */
export function createAccumulator(fn: AggregateFn, type: ValueType): Accumulator {
  switch (fn) {
    case "count":
      return counted(type);
    case "sum":
      return summed(false);
    case "avg":
      return summed(true);
    case "min":
      return extreme(type, 1);
    case "max":
      return extreme(type, -1);
  }
}
