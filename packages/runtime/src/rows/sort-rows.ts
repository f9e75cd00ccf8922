import { compareCodePoints, compareSortKeys, type SortKey, sortKey } from "@plasm/core";
import { cellKey, type NoteUnfit } from "./cell-key.ts";
import type { RowColumn } from "./row-column.ts";
import type { Row } from "./row.ts";

/** One key of a sort. */
export interface SortBy {
  readonly column: RowColumn;
  readonly desc: boolean;
}

type Compare = (a: number, b: number) => number;

/** Orders places of a list by its values, nulls last in both directions. */
function byValues<V>(
  values: readonly (V | null)[],
  compare: (a: V, b: V) => number,
  desc: boolean,
): Compare {
  const sign = desc ? -1 : 1;
  return (a, b) => {
    const x = values[a] ?? null;
    const y = values[b] ?? null;
    if (x === null || y === null) return x === y ? 0 : x === null ? 1 : -1;
    return sign * compare(x, y);
  };
}

/** The values of keys that all are of one kind, for which a plain comparison does. */
function valuesIf<V>(
  keys: readonly (SortKey | null)[],
  valueOf: (key: SortKey) => V | null,
): readonly (V | null)[] | null {
  const values: (V | null)[] = [];
  for (const key of keys) {
    const value = key === null ? null : valueOf(key);
    if (key !== null && value === null) return null;
    values.push(value);
  }
  return values;
}

function compareBy(keys: readonly (SortKey | null)[], desc: boolean): Compare {
  const numbers = valuesIf(keys, ({ rank, value }) =>
    rank === 0 && typeof value === "number" ? value : null,
  );
  if (numbers !== null) return byValues(numbers, (a, b) => a - b, desc);
  const texts = valuesIf(keys, ({ rank, value }) =>
    rank === 0 && typeof value === "string" ? value : null,
  );
  if (texts !== null) return byValues(texts, compareCodePoints, desc);
  return byValues(keys, compareSortKeys, desc);
}

/** Sorts rows: stable, nulls last in both directions, ties in order (LANG-065). */
export function sortRows(
  rows: readonly Row[],
  by: readonly SortBy[],
  unfit: NoteUnfit,
): readonly Row[] {
  const compares = by.map(({ column, desc }) => {
    const keys = rows.map((row, index) => cellKey(sortKey, column, column.read(row), index, unfit));
    return compareBy(keys, desc);
  });
  const compare = (a: number, b: number): number => {
    for (const each of compares) {
      const order = each(a, b);
      if (order !== 0) return order;
    }
    return 0;
  };
  const order = rows.map((_row, index) => index).toSorted(compare);
  return order.flatMap((index) => rows[index] ?? []);
}
