import {
  compareCodePoints,
  compareSortKeys,
  comparisonsOf,
  type GroupKey,
  groupKey,
  sortKey,
  WORK,
} from "@plasm/core/internal";
import { atOnce, eachOf, type Pausable, visitEach } from "../base/turns.ts";
import { cellKey, cellWork, computedWork, keysWork, type NoteUnfit, typeWork } from "./cell-key.ts";
import type { Row, RowColumn } from "./row.ts";
import { OrderedRows, type RowSequence } from "./row-list.ts";

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

interface Keys {
  /** of each column, in order of the rows */
  readonly columns: readonly (GroupKey | null)[][];
  /** what going through the texts of a row's keys would cost conditions on average, in pieces */
  readonly textWork: number;
}

/** The keys of all rows by some columns, read in one go: rows may have to be unpacked for it. */
function* keysOf(rows: RowSequence, by: readonly SortBy[], unfit: NoteUnfit): Pausable<Keys> {
  const columns = by.map((): (GroupKey | null)[] => []);
  const read = by.map(({ column }) => column);
  const each = keysWork(read);
  let [texts, pieces] = [0, 0];
  const look = (row: Row, at: number): void => {
    pieces = each;
    for (const [index, { column }] of by.entries()) {
      const key = cellKey(groupKey, column, column.read(row), at, unfit);
      columns[index]?.push(key);
      const textWork = cellWork(key);
      pieces += textWork;
      texts += textWork;
    }
  };
  yield* visitEach(rows, look, () => pieces + computedWork(read));
  return { columns, textWork: Math.round(texts / Math.max(1, rows.length)) };
}

/** Most columns hold doubles or texts, which compare without the cost of sort keys. */
function* compareBy(
  rows: RowSequence,
  { column, desc }: SortBy,
  keys: readonly (GroupKey | null)[],
): Pausable<Compare> {
  const { type, read } = column;
  if (keys.every(isNumber)) return byValues(keys, (a, b) => a - b, desc);
  if (sortsAsText(column) && keys.every(isText)) return byValues(keys, compareCodePoints, desc);
  const each = WORK.key + typeWork(type);
  const work = () => each + computedWork([column]);
  const cells = yield* eachOf(rows, (row) => sortKey(read(row), type), work);
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

/** So many places are brought in order at once, without a pause. */
const RUN = 1_024;

/** How two rows are compared, and what that costs, in pieces. */
interface Comparing {
  readonly compare: Compare;
  readonly pieces: number;
}

/** Brings a stretch of places in order, stable: short runs first, which are merged, with pauses. */
function* sortStretch(
  order: Uint32Array,
  spare: Uint32Array,
  [from, to]: Tie,
  comparing: Comparing,
): Pausable<void> {
  const { compare, pieces } = comparing;
  for (let start = from; start < to; start += RUN) {
    const end = Math.min(to, start + RUN);
    order.set([...order.subarray(start, end)].sort(compare), start);
    // So many comparisons at most: how many the language makes is its own affair.
    yield comparisonsOf(end - start) * pieces;
  }
  let [source, target] = [order, spare];
  for (let width = RUN; width < to - from; width *= 2) {
    for (let start = from; start < to; start += 2 * width) {
      const middle = Math.min(to, start + width);
      yield* merge(source, target, [start, middle, Math.min(to, start + 2 * width)], comparing);
    }
    [source, target] = [target, source];
  }
  if (source !== order) order.set(source.subarray(from, to), from);
}

/** Merges two runs that follow each other, each in order. */
function* merge(
  source: Uint32Array,
  target: Uint32Array,
  [start, middle, end]: readonly [number, number, number],
  { compare, pieces }: Comparing,
): Pausable<void> {
  let [left, right] = [start, middle];
  for (let at = start; at < end; at++) {
    const a = source[left] ?? 0;
    const b = source[right] ?? 0;
    const takesLeft = right >= end || (left < middle && compare(a, b) <= 0);
    target[at] = takesLeft ? a : b;
    if (takesLeft) left += 1;
    else right += 1;
    if (at % RUN === 0) yield RUN * pieces;
  }
}

/** A stretch of the order in which all rows are alike so far. */
type Tie = readonly [from: number, to: number];

/** The ties that are left in a stretch that is in order. */
function tiesIn(order: Uint32Array, [from, to]: Tie, compare: Compare): readonly Tie[] {
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

/** How much longer it takes to compare the characters of two texts than conditions take to go through one. */
const TEXT_COMPARISON = 4;

/** So many keys of each row are in hand at a time. */
const KEYS_AT_ONCE = 8;

/** So many rows are given as a list of their own; more stay where they are, and are read in their order. */
const LISTED = 2_048;

/**
 * Sorts rows: stable, nulls last in both directions, ties in order (LANG-065). Some keys after the others, each
 * for the rows that are alike in those before them: a sort may have thousands.
 */
export function* sortInSteps(
  rows: RowSequence,
  by: readonly SortBy[],
  unfit: NoteUnfit,
): Pausable<RowSequence> {
  const order = new Uint32Array(rows.length);
  for (let at = 0; at < order.length; at++) order[at] = at;
  const spare = new Uint32Array(rows.length > RUN ? rows.length : 0);
  let ties: readonly Tie[] = [[0, rows.length]];
  for (let first = 0; first < by.length; first += KEYS_AT_ONCE) {
    const some = by.slice(first, first + KEYS_AT_ONCE);
    const keys = yield* keysOf(rows, some, unfit);
    const compares: Compare[] = [];
    for (const [index, each] of some.entries()) {
      compares.push(yield* compareBy(rows, each, keys.columns[index] ?? []));
    }
    const compare = inTurn(compares);
    const comparing = { compare, pieces: WORK.comparison + TEXT_COMPARISON * keys.textWork };
    for (const tie of ties) yield* sortStretch(order, spare, tie, comparing);
    const isLast = first + KEYS_AT_ONCE >= by.length;
    if (!isLast) ties = ties.flatMap((tie) => tiesIn(order, tie, compare));
    yield;
  }
  const sorted = new OrderedRows(rows, order);
  return rows.length > LISTED ? sorted : sorted.slice();
}

/**
 * Whether rows are in order as they are, each of the `first` with a value: servers put rows without one first, last, or among
 * the others as if it were nothing.
 */
export function* isInOrder(
  rows: RowSequence,
  by: readonly SortBy[],
  first: number,
): Pausable<boolean> {
  const keys = yield* keysOf(rows, by, () => undefined);
  const compares: Compare[] = [];
  for (const [index, each] of by.entries()) {
    compares.push(yield* compareBy(rows, each, keys.columns[index] ?? []));
  }
  const compare = inTurn(compares);
  for (let at = 1; at < rows.length; at++) {
    if (compare(at - 1, at) > 0) return false;
    if (at % RUN === 0) yield RUN * WORK.comparison;
  }
  return keys.columns.every((column) => column.slice(0, first).every((key) => key !== null));
}

/** {@link sortInSteps} without a pause. */
export const sortRows = (...given: Parameters<typeof sortInSteps>): readonly Row[] =>
  atOnce(sortInSteps(...given)).slice();
