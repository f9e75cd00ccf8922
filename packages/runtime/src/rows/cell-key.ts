import type { Json, ValueType } from "@plasm/core";
import {
  CHARACTERS_A_PIECE,
  type GroupKey,
  WORK,
  groupKey,
  isBeyondDecimals,
} from "@plasm/core/internal";
import { sizeOf, typeName } from "../base/json-kinds.ts";
import type { Row, RowColumn } from "./row.ts";

const TEXT: ValueType = Object.freeze({ kind: "string", semantics: "short" });

/**
 * The declared type behind a word of the teaching table (TEACH-21), as far as comparing cells needs
 * it; what a plan says of a column that no catalog declares.
 */
export function wordType(word: string): ValueType {
  switch (word) {
    case "num":
      return { kind: "number" };
    case "int":
      return { kind: "integer" };
    case "bool":
      return { kind: "boolean" };
    case "date":
      return { kind: "date", format: "iso8601_date" };
    case "datetime":
      return { kind: "date", format: "rfc3339" };
    case "uuid":
    case "blob":
    case "json":
      return { kind: word };
  }
  if (word.startsWith("[")) return { kind: "array", items: wordType(word.slice(1, -1)) };
  const target = /^([A-Za-z_]\w*)\(/.exec(word)?.[1];
  return target === undefined ? TEXT : { kind: "entity_ref", target };
}

/** Told of each cell that does not fit what is expected of its column; it counts as null (LANG-066). */
export type NoteUnfit = (column: string, expected: string, cell: Json, row: number) => void;

/** What the cells of a type are, for a message. */
export function expectedOf(type: ValueType): string {
  switch (type.kind) {
    case "number":
    case "integer":
      return "a number";
    case "boolean":
      return "true or false";
    case "date":
      return "a date";
    case "string":
    case "uuid":
    case "select":
      return "text";
    case "entity_ref":
      return `a key of ${type.target}`;
    case "blob":
    case "array":
    case "multi_select":
    case "json":
      return "json";
  }
}

/** Whether a cell is a number that is too large, too small or too long to be kept. */
export const isBeyondLimits = (cell: Json): boolean =>
  typeof cell === "string" && isBeyondDecimals(cell);

const BEYOND = "a number of more than 1,000 digits or an exponent beyond ±10,000 is not kept";

/** What is said of a cell that does not fit: why, and what becomes of it. */
export function unfitDetail(column: string, expected: string, cell: Json, so: string): string {
  const isNumber = expected.startsWith("a number") && isBeyondLimits(cell);
  return `${column}: ${isNumber ? BEYOND : `${typeName(cell)} is not ${expected}`}, ${so}`;
}

/** The key that `keyOf` makes of a cell by its type; null for null and for what does not fit. */
export function cellKey<K>(
  keyOf: (cell: Json, type: ValueType) => K | null,
  { name, type }: RowColumn,
  cell: Json | undefined,
  row: number,
  unfit: NoteUnfit,
): K | null {
  if (cell === undefined || cell === null) return null;
  const key = keyOf(cell, type);
  if (key === null) unfit(name, expectedOf(type), cell, row);
  return key;
}

/** What going through a cell costs besides looking at it, in pieces. */
export function cellWork(cell: Json | undefined): number {
  if (typeof cell === "string") return Math.floor(cell.length / CHARACTERS_A_PIECE);
  if (typeof cell !== "object" || cell === null) return 0;
  return Math.floor(sizeOf(cell).bytes / CHARACTERS_A_PIECE);
}

/** What reading a cell of a type costs besides, in pieces. */
export const typeWork = ({ kind }: ValueType): number => (kind === "date" ? WORK.date : 0);

/** What rows of one combination of cells share, and no others: a key of a map. */
export type CombinationKey = GroupKey | null;

/** A group key as part of a text; the length keeps parts apart. */
function part(key: CombinationKey): string {
  const text = String(key ?? "");
  return `${key === null ? "-" : typeof key}${text.length}:${text}`;
}

/** A combination as the name of the row that stands for it. */
export const combinationName = (key: CombinationKey): string =>
  key === null ? "-" : `${typeof key}:${String(key)}`;

/**
 * What rows are told apart by in some columns, by the relation that sorts them: null is a value of its
 * own (LANG-065).
 */
export function combinationsOf(
  columns: readonly RowColumn[],
  unfit: NoteUnfit,
): (row: Row, index: number) => CombinationKey {
  const keyOf =
    (column: RowColumn) =>
    (row: Row, index: number): CombinationKey =>
      cellKey(groupKey, column, column.read(row), index, unfit);
  const [first, ...others] = columns.map(keyOf);
  if (first !== undefined && others.length === 0) return first;
  const all = columns.map(keyOf);
  return (row, index) => all.reduce((text, key) => text + part(key(row, index)), "");
}

/** What computing the cells of columns took since it was last asked, in pieces. */
export const computedWork = (columns: readonly RowColumn[]): number =>
  columns.reduce((sum, { computed }) => sum + (computed?.() ?? 0), 0);

/** What reading the cells of a combination costs, in pieces, the characters of texts aside. */
export const keysWork = (columns: readonly RowColumn[]): number =>
  columns.reduce((sum, { type }) => sum + WORK.key + typeWork(type), 0);
