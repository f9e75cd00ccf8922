import { compareSortKeys } from "@plasm/core";
import { cellKey, type NoteUnfit } from "./cell-key.ts";
import type { RowColumn } from "./row-column.ts";
import type { Row } from "./row.ts";

/** One key of a sort. */
export interface SortBy {
  readonly column: RowColumn;
  readonly desc: boolean;
}

/** Sorts rows: stable, nulls last in both directions, ties in order (LANG-065). */
export function sortRows(
  rows: readonly Row[],
  by: readonly SortBy[],
  unfit: NoteUnfit,
): readonly Row[] {
  const columns = by.map(({ column, desc }) => ({
    desc,
    keys: rows.map((row, index) => cellKey(column, column.read(row), index, unfit)),
  }));
  const compare = (a: number, b: number): number => {
    for (const { keys, desc } of columns) {
      const x = keys[a] ?? null;
      const y = keys[b] ?? null;
      if (x === null || y === null) {
        if (x === y) continue;
        return x === null ? 1 : -1;
      }
      const order = compareSortKeys(x, y);
      if (order !== 0) return desc ? -order : order;
    }
    return 0;
  };
  const order = rows.map((_row, index) => index).toSorted(compare);
  return order.flatMap((index) => rows[index] ?? []);
}
