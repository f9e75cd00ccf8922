import type { Json, ValueType } from "@plasm/core";
import {
  compareSortKeys,
  ExactSum,
  Quotient,
  groupKey,
  type OrderKey,
  sortKey,
  WORK,
} from "@plasm/core/internal";
import { atOnce, eachOf, type Pausable, visitEach } from "../base/turns.ts";
import {
  cellWork,
  type CombinationKey,
  combinationName,
  combinationsOf,
  computedWork,
  expectedOf,
  keysWork,
  type NoteUnfit,
  typeWork,
} from "./cell-key.ts";
import type { ColumnTypes, Row, RowColumn } from "./row.ts";
import type { RowSequence } from "./row-list.ts";
import { type Size, sizeOf } from "../base/json-kinds.ts";

/** One aggregate: its name, function and column; without column it counts rows (LANG-066). */
export interface RowAggregate {
  readonly as: string;
  readonly fn: AggregateFn;
  readonly column: RowColumn | null;
}

const INTEGER: ValueType = Object.freeze({ kind: "integer" });
const NUMBER: ValueType = Object.freeze({ kind: "number" });
const JSON_TYPE: ValueType = Object.freeze({ kind: "json" });

function resultType({ fn, column }: RowAggregate): ValueType {
  switch (fn) {
    case "count":
      return INTEGER;
    case "sum":
    case "avg":
      return NUMBER;
    case "min":
    case "max":
    case "first":
    case "last":
      return column?.type ?? JSON_TYPE;
  }
}

type Cell = readonly [name: string, cell: Json];

interface Totals {
  /** Takes a row, and tells how many pieces of work that was. */
  add(row: Row, index: number): number;
  cells(): readonly Cell[];
}

/** The aggregates of some rows while they are read. */
function openTotals(aggs: readonly RowAggregate[], unfit: NoteUnfit): Totals {
  let count = 0;
  const parts = aggs.flatMap(({ as, fn, column }) =>
    column === null ? [] : [{ as, column, taken: createAccumulator(fn, column.type) }],
  );
  const each = parts.reduce(
    (sum, { column: { type } }) => sum + typeWork(type),
    aggs.length * WORK.aggregate,
  );
  const takenAs = new Map(parts.map(({ as, taken }) => [as, taken] as const));
  return {
    add(row, index) {
      count += 1;
      let pieces = each;
      for (const { column, taken } of parts) {
        const made = taken.takeQuotient === undefined ? undefined : column.exactly?.(row);
        if (made instanceof Quotient) {
          pieces += cellWork(made.rounded) + (column.computed?.() ?? 0);
          taken.takeQuotient?.(made);
          continue;
        }
        const cell = made === undefined ? column.read(row) : made;
        pieces += cellWork(cell) + (column.computed?.() ?? 0);
        if (cell === undefined || cell === null) taken.skip?.();
        if (cell === undefined || cell === null || taken.take(cell)) continue;
        unfit(column.name, taken.expected, cell, index);
      }
      return pieces;
    },
    cells: () =>
      aggs.map(({ as }): Cell => {
        const taken = takenAs.get(as);
        return [as, taken === undefined ? count : taken.result()];
      }),
  };
}

const plainRow = (cells: readonly Cell[], types: ColumnTypes): Row => ({
  base: null,
  cells: new Map(cells),
  joined: new Map(),
  types,
});

const typesOf = (keys: readonly RowColumn[], aggs: readonly RowAggregate[]): ColumnTypes =>
  new Map([
    ...keys.map(({ name, type }) => [name, type] as const),
    ...aggs.map((agg) => [agg.as, resultType(agg)] as const),
  ]);

function keyCell({ name, type, read }: RowColumn, row: Row): Cell {
  const cell = read(row) ?? null;
  return [name, groupKey(cell, type) === null ? null : cell];
}

/** The one row of aggregates of all rows (LANG-061, LANG-066). */
export function* aggregateInSteps(
  rows: RowSequence,
  aggs: readonly RowAggregate[],
  unfit: NoteUnfit,
): Pausable<Row> {
  const totals = openTotals(aggs, unfit);
  let pieces = 0;
  const add = (row: Row, index: number): void => {
    pieces = totals.add(row, index);
  };
  yield* visitEach(rows, add, () => pieces);
  return plainRow(totals.cells(), typesOf([], aggs));
}

/** The groups that rows fall into. */
export interface Groups {
  /** the key of each, in order of first appearance */
  readonly keys: readonly CombinationKey[];
  /** what the cells of their keys come to when they are written out */
  readonly size: Size;
  /** of each row, in order: which group it belongs to */
  readonly of: Uint32Array;
}

/** Tells which rows have the same combination of keys, before anything is made of them (LANG-065). */
export function* groupsInSteps(
  rows: RowSequence,
  keys: readonly RowColumn[],
  unfit: NoteUnfit,
): Pausable<Groups> {
  const combination = combinationsOf(keys, unfit);
  const of = new Uint32Array(rows.length);
  const seen = new Map<CombinationKey, number>();
  let [cells, bytes, textWork] = [0, 0, 0];
  const look = (row: Row, at: number): void => {
    const key = combination(row, at);
    textWork = cellWork(key);
    const known = seen.get(key);
    of[at] = known ?? seen.size;
    if (known !== undefined) return;
    seen.set(key, seen.size);
    for (const each of keys) {
      const size = sizeOf(keyCell(each, row)[1]);
      cells += size.cells;
      bytes += size.bytes;
    }
  };
  const each = keysWork(keys);
  yield* visitEach(rows, look, () => each + textWork + computedWork(keys));
  return { keys: [...seen.keys()], size: { cells, bytes }, of };
}

/**
 * One row per group, in order of first appearance: the keys as its first row has them, null for what does not
 * fit, then the aggregates (LANG-061, LANG-065).
 */
export function* groupInSteps(
  rows: RowSequence,
  keys: readonly RowColumn[],
  aggs: readonly RowAggregate[],
  unfit: NoteUnfit,
  { keys: combinations, of }: Groups = atOnce(groupsInSteps(rows, keys, unfit)),
): Pausable<readonly Row[]> {
  let pieces = 0;
  const groups: { readonly cells: readonly Cell[]; readonly totals: Totals }[] = [];
  const add = (row: Row, index: number): void => {
    const at = of[index] ?? 0;
    const group = groups[at] ?? {
      cells: keys.map((key) => keyCell(key, row)),
      totals: openTotals(aggs, unfit),
    };
    groups[at] = group;
    pieces = WORK.key + group.totals.add(row, index) + computedWork(keys);
  };
  yield* visitEach(rows, add, () => pieces);
  const types = typesOf(keys, aggs);
  return yield* eachOf(
    groups,
    ({ cells, totals }, at) => ({
      ...plainRow([...cells, ...totals.cells()], types),
      name: combinationName(combinations[at] ?? null),
    }),
    (keys.length + aggs.length) * WORK.cell,
  );
}

/** The one row of aggregates of all rows, made without a pause. */
export const aggregateRows = (...given: Parameters<typeof aggregateInSteps>): Row =>
  atOnce(aggregateInSteps(...given));

/** One row per combination of the keys, made without a pause. */
export const groupRows = (...given: Parameters<typeof groupInSteps>): readonly Row[] =>
  atOnce(groupInSteps(...given));

export type AggregateFn = "count" | "sum" | "avg" | "min" | "max" | "first" | "last";

/** One aggregate while rows are read (LANG-066). */
interface Accumulator {
  /** Takes a cell that is not null; false if it does not fit, so that it counts as null. */
  take(cell: Json): boolean;
  /** takes a cell in the middle of its expression, so that what is made of many is rounded once */
  takeQuotient?(cell: Quotient): void;
  /** told of a row whose cell is null; most aggregates leave it out */
  skip?(): void;
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
    takeQuotient({ above, below, rounded }) {
      sum.addQuotient(above, below, rounded);
      count += 1;
    },
    result() {
      if (!isAverage) return sum.total();
      return count === 0 ? null : sum.mean(count);
    },
  };
}

/** The first of the least or greatest cells, as it stands. */
function extreme(type: ValueType, sign: 1 | -1): Accumulator {
  let best: { readonly key: OrderKey; readonly cell: Json } | null = null;
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

/** The cell of the first or the last row, whatever it is (LANG-066). */
function ofOneRow(isFirst: boolean): Accumulator {
  let found: Json = null;
  let isKnown = false;
  const see = (cell: Json): void => {
    if (isFirst && isKnown) return;
    found = cell;
    isKnown = true;
  };
  return {
    expected: "a value",
    take(cell) {
      see(cell);
      return true;
    },
    skip: () => see(null),
    result: () => found,
  };
}

/** An aggregate of cells of a type, of none so far: count and sum are then 0, others null (LANG-066). */
function createAccumulator(fn: AggregateFn, type: ValueType): Accumulator {
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
    case "first":
      return ofOneRow(true);
    case "last":
      return ofOneRow(false);
  }
}
