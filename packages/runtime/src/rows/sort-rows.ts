import type { Cgs } from "@plasm/core";
import { compareSortKeys, sortKey } from "./compare-cells.ts";
import { pathType, readCell, type Row } from "./row.ts";

/** One key of a sort. */
export interface SortBy {
  readonly path: readonly string[];
  readonly desc: boolean;
}

/** Sorts rows: stable, nulls last in both directions, ties in order (LANG-065). */
export function sortRows(
  cgs: Cgs | null,
  entity: string | null,
  rows: readonly Row[],
  by: readonly SortBy[],
): readonly Row[] {
  const types = by.map(({ path }) => pathType(cgs, entity, path));
  const keyed = rows.map((row) => ({
    row,
    keys: by.map(({ path }, i) => sortKey(readCell(cgs, row, path), types[i] ?? { kind: "json" })),
  }));
  const sorted = keyed.toSorted((a, b) => {
    for (const [i, { desc }] of by.entries()) {
      const [x, y] = [a.keys[i] ?? null, b.keys[i] ?? null];
      if (x === null || y === null) {
        if (x === y) continue;
        return x === null ? 1 : -1;
      }
      const order = compareSortKeys(x, y);
      if (order !== 0) return desc ? -order : order;
    }
    return 0;
  });
  return sorted.map(({ row }) => row);
}
