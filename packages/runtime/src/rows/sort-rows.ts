import { compareCodePoints, compareSortKeys, type GroupKey, groupKey, sortKey } from "@plasm/core";
import { cellKey, type NoteUnfit } from "./cell-key.ts";
import type { RowColumn } from "./row-column.ts";
import type { Row } from "./row.ts";

/** One key of a sort. */
export interface SortBy {
  readonly column: RowColumn;
  readonly desc: boolean;
}

/** Orders two places of a list. */
type Compare = (a: number, b: number) => number;

/** By the values at the places; nulls come last in both directions, ties stay in order. */
function byValues<V>(
  values: readonly (V | null)[],
  compare: (a: V, b: V) => number,
  desc: boolean,
): Compare {
  return (a, b) => {
    const x = values[a] ?? null;
    const y = values[b] ?? null;
    if (x === y) return 0;
    if (x === null || y === null) return x === null ? 1 : -1;
    return desc ? compare(y, x) : compare(x, y);
  };
}

const isNumber = (key: GroupKey | null): key is number | null =>
  key === null || typeof key === "number";
const isText = (key: GroupKey | null): key is string | null =>
  key === null || typeof key === "string";

/** Whether the order of a type's cells is that of texts, which their group keys are. */
function sortsAsText({ type }: RowColumn): boolean {
  return ["string", "uuid", "select", "entity_ref"].includes(type.kind);
}

/** Most columns hold doubles or texts, which compare without the cost of sort keys. */
function compareBy(rows: readonly Row[], { column, desc }: SortBy, unfit: NoteUnfit): Compare {
  const { type, read } = column;
  const keys = rows.map((row, at) => cellKey(groupKey, column, read(row), at, unfit));
  if (keys.every(isNumber)) return byValues(keys, (a, b) => a - b, desc);
  if (sortsAsText(column) && keys.every(isText)) return byValues(keys, compareCodePoints, desc);
  const cells = rows.map((row) => sortKey(read(row), type));
  return byValues(cells, compareSortKeys, desc);
}

function inTurn(compares: readonly Compare[]): Compare {
  const [only] = compares;
  if (compares.length === 1 && only !== undefined) return only;
  return (a, b) => {
    for (const compare of compares) {
      const order = compare(a, b);
      if (order !== 0) return order;
    }
    return 0;
  };
}

/** Sorts rows: stable, nulls last in both directions, ties in order (LANG-065). */
export function sortRows(
  rows: readonly Row[],
  by: readonly SortBy[],
  unfit: NoteUnfit,
): readonly Row[] {
  const compare = inTurn(by.map((each) => compareBy(rows, each, unfit)));
  const order = rows.map((_row, at) => at).toSorted(compare);
  const sorted: Row[] = [];
  for (const at of order) {
    const row = rows[at];
    if (row !== undefined) sorted.push(row);
  }
  return sorted;
}
