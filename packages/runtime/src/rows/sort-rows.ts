import { compareCodePoints, compareSortKeys, type GroupKey, groupKey, sortKey } from "@plasm/core";
import { atOnce, eachOf, type Pausable } from "../turns.ts";
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
function* compareBy(
  rows: readonly Row[],
  { column, desc }: SortBy,
  unfit: NoteUnfit,
): Pausable<Compare> {
  const { type, read } = column;
  const keyed = (row: Row, at: number): GroupKey | null =>
    cellKey(groupKey, column, read(row), at, unfit);
  const keys = yield* eachOf(rows, keyed, 1);
  if (keys.every(isNumber)) return byValues(keys, (a, b) => a - b, desc);
  if (sortsAsText(column) && keys.every(isText)) return byValues(keys, compareCodePoints, desc);
  const cells = yield* eachOf(rows, (row) => sortKey(read(row), type), 4);
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

/** A stretch of the order in which all rows are alike so far. */
type Tie = readonly [from: number, to: number];

/** The ties that are left in a stretch that is in order. */
function tiesIn(order: readonly number[], [from, to]: Tie, compare: Compare): readonly Tie[] {
  const ties: Tie[] = [];
  let start = from;
  for (let at = from + 1; at <= to; at++) {
    const isTie = at < to && compare(order[at - 1] ?? 0, order[at] ?? 0) === 0;
    if (isTie) continue;
    if (at - start > 1) ties.push([start, at]);
    start = at;
  }
  return ties;
}

/** So many keys of each row are in hand at a time. */
const KEYS_AT_ONCE = 8;

/**
 * Sorts rows: stable, nulls last in both directions, ties in order (LANG-065). Some keys after the others, each
 * for the rows that are alike in those before them: a sort may have thousands.
 */
export function* sortInSteps(
  rows: readonly Row[],
  by: readonly SortBy[],
  unfit: NoteUnfit,
): Pausable<readonly Row[]> {
  let order = rows.map((_row, at) => at);
  let ties: readonly Tie[] = [[0, rows.length]];
  for (let first = 0; first < by.length; first += KEYS_AT_ONCE) {
    const compares: Compare[] = [];
    for (const each of by.slice(first, first + KEYS_AT_ONCE)) {
      compares.push(yield* compareBy(rows, each, unfit));
    }
    const compare = inTurn(compares);
    const isLast = first + KEYS_AT_ONCE >= by.length;
    if (first === 0) order = order.toSorted(compare);
    else {
      for (const [from, to] of ties) {
        const sorted = order.slice(from, to).toSorted(compare);
        for (const [index, at] of sorted.entries()) order[from + index] = at;
      }
    }
    if (!isLast) ties = ties.flatMap((tie) => tiesIn(order, tie, compare));
    yield;
  }
  const sorted: Row[] = [];
  for (const at of order) {
    const row = rows[at];
    if (row !== undefined) sorted.push(row);
  }
  return sorted;
}

/** The same without a pause. */
export const sortRows = (...given: Parameters<typeof sortInSteps>): readonly Row[] =>
  atOnce(sortInSteps(...given));
