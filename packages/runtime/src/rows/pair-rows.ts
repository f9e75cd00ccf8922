import type { Json } from "@plasm/core";
import { type GroupKey, type PairedAs, pairKey, WORK } from "@plasm/core/internal";
import { sizeOf, type Size } from "../base/json-kinds.ts";
import { atOnce, PIECES, type Pausable, visitEach } from "../base/turns.ts";
import { cellKey, cellWork, computedWork, keysWork, type NoteUnfit } from "./cell-key.ts";
import { type ColumnTypes, type Row, type RowColumn, rowName } from "./row.ts";
import type { RowSequence } from "./row-list.ts";

/** One side of rows that are paired: its keys, and the columns that are kept of it under these names. */
export interface PairSide {
  readonly rows: RowSequence;
  readonly keys: readonly PairKey[];
  readonly columns: readonly RowColumn[];
  /** says that a key is not of its type, so that its row meets nothing */
  readonly unfit: NoteUnfit;
}

/** A column of a side, and what it is compared as with that of the other side. */
export interface PairKey {
  readonly column: RowColumn;
  readonly on: PairedAs;
}

/** The work of a row's keys, what was computed for them included. */
function keysPaid({ keys }: PairSide): number {
  const columns = keys.map(({ column }) => column);
  return keysWork(columns) + computedWork(columns);
}

/** Which rows of two sides meet, before anything is made of them. */
interface Meetings {
  /** the rows of the right side, with only what is kept of them */
  readonly right: readonly KeptRow[];
  /** the first row of the right side that each row of the left meets; -1 for none */
  readonly first: Int32Array;
  /** the next row of the right side with the same key; -1 for none */
  readonly next: Int32Array;
  /** how many rows there will be, and what they come to when they are written out */
  readonly pairs: number;
  readonly size: Size;
}

/** What is kept of a row: its cells in order, those that are not known left open, and what it is known by. */
interface KeptRow {
  readonly cells: readonly (Json | undefined)[];
  readonly name: string | null;
}

/** What a row of the right side takes in memory until all pairs are made, besides its cells, in bytes. */
export const KEPT_MEMORY = 160;

/** Tells which rows meet: equal in all keys, by their text, value, moment or key; null meets nothing (LANG-091). */
export function* meetingsInSteps(
  left: PairSide,
  right: PairSide,
  keepsLeft: boolean,
): Pausable<Meetings> {
  const groups = new Map<GroupKey, number>();
  const heads: number[] = [];
  const tails: number[] = [];
  const sizes: { rows: number; cells: number; bytes: number }[] = [];
  const next = new Int32Array(right.rows.length).fill(-1);
  const kept: KeptRow[] = [];
  const keyOfRight = keyReader(right);
  let pieces = 0;
  const readRight = (row: Row, at: number): void => {
    const cells = right.columns.map(({ read }) => read(row));
    kept.push({ cells, name: rowName(row) });
    const key = keyOfRight(row, at);
    pieces = keysPaid(right) + (key === null ? 0 : cellWork(key));
    if (key === null) return;
    const size = sizeOfCells(cells);
    const known = groups.get(key);
    const total = known === undefined ? undefined : sizes[known];
    if (known === undefined || total === undefined) {
      groups.set(key, heads.length);
      heads.push(at);
      tails.push(at);
      sizes.push({ rows: 1, ...size });
      return;
    }
    next[tails[known] ?? 0] = at;
    tails[known] = at;
    total.rows += 1;
    total.cells += size.cells;
    total.bytes += size.bytes;
  };
  yield* visitEach(right.rows, readRight, () => pieces);

  const first = new Int32Array(left.rows.length).fill(-1);
  const keyOfLeft = keyReader(left);
  let [pairs, cells, bytes] = [0, 0, 0];
  const readLeft = (row: Row, at: number): void => {
    const key = keyOfLeft(row, at);
    pieces = keysPaid(left) + (key === null ? 0 : cellWork(key));
    const group = key === null ? undefined : groups.get(key);
    if (group === undefined && !keepsLeft) return;
    const met = group === undefined ? undefined : sizes[group];
    if (group !== undefined) first[at] = heads[group] ?? -1;
    const own = sizeOfCells(left.columns.map(({ read }) => read(row)));
    const count = met?.rows ?? 1;
    pairs += count;
    cells += own.cells * count + (met?.cells ?? right.columns.length);
    bytes += own.bytes * count + (met?.bytes ?? right.columns.length);
  };
  yield* visitEach(left.rows, readLeft, () => pieces);
  return { right: kept, first, next, pairs, size: { cells, bytes } };
}

/** Rows that meet, side by side: in the order of the left, then of the right (LANG-090). */
export function* pairsInSteps(
  left: PairSide,
  right: PairSide,
  keepsLeft: boolean,
  { right: kept, first, next }: Meetings,
  types: ColumnTypes,
): Pausable<readonly Row[]> {
  const made: Row[] = [];
  const names = right.columns.map(({ name }) => name);
  const unmet: KeptRow = { cells: names.map(() => null), name: "" };
  let [at, done] = [0, 0];
  for (const row of left.rows) {
    const start = first[at] ?? -1;
    at += 1;
    if (start < 0 && !keepsLeft) continue;
    const own = left.columns.map(({ read }) => read(row));
    const name = rowName(row);
    for (let other = start; ;) {
      made.push(pairedRow(left.columns, own, name, names, kept[other] ?? unmet, types));
      done += WORK.joined;
      if (done >= PIECES) {
        yield done;
        done = 0;
      }
      other = other < 0 ? -1 : (next[other] ?? -1);
      if (other < 0) break;
    }
  }
  if (done > 0) yield done;
  return made;
}

/** The rows of two sides that meet, side by side, made without a pause (LANG-090). */
export function pairRows(left: PairSide, right: PairSide, keepsLeft = false): readonly Row[] {
  const columns = [...left.columns, ...right.columns];
  const types = new Map(columns.map(({ name, type }) => [name, type] as const));
  const meetings = atOnce(meetingsInSteps(left, right, keepsLeft));
  return atOnce(pairsInSteps(left, right, keepsLeft, meetings, types));
}

function pairedRow(
  columns: readonly RowColumn[],
  own: readonly (Json | undefined)[],
  ownName: string | null,
  names: readonly string[],
  other: KeptRow,
  types: ColumnTypes,
): Row {
  const cells = new Map<string, Json>();
  for (let at = 0; at < columns.length; at++) {
    const cell = own[at];
    const column = columns[at];
    if (cell !== undefined && column !== undefined) cells.set(column.name, cell);
  }
  for (let at = 0; at < names.length; at++) {
    const cell = other.cells[at];
    const name = names[at];
    if (cell !== undefined && name !== undefined) cells.set(name, cell);
  }
  const row = { base: null, cells, joined: NOTHING_JOINED, types };
  // Rows of which one side is not known by anything cannot be told apart either.
  return ownName === null || other.name === null
    ? row
    : { ...row, name: `${ownName} ${other.name}` };
}

const NOTHING_JOINED: Row["joined"] = new Map();

function sizeOfCells(cells: readonly (Json | undefined)[]): Size {
  let [count, bytes] = [0, 0];
  for (const cell of cells) {
    if (cell === undefined) continue;
    const size = sizeOf(cell);
    count += size.cells;
    bytes += size.bytes;
  }
  return { cells: count, bytes };
}

/** The key that a row of a side has in all its columns; null where one of them has none. */
function keyReader({ keys, unfit }: PairSide): (row: Row, index: number) => GroupKey | null {
  const readers = keys.map(({ column, on }) => (row: Row, index: number): GroupKey | null => {
    const keyOf = (cell: Json): GroupKey | null => pairKey(cell, column.type, on);
    return cellKey(keyOf, column, column.read(row), index, unfit);
  });
  const [only, ...others] = readers;
  if (only !== undefined && others.length === 0) return only;
  return (row, index) => {
    let text = "";
    for (const read of readers) {
      const key = read(row, index);
      if (key === null) return null;
      const part = String(key);
      text += `${typeof key}${part.length}:${part}`;
    }
    return text;
  };
}
