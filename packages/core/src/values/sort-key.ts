import {
  compareDecimal,
  type Decimal,
  decimalBeyondDouble,
  decimalValue,
  parseDecimal,
} from "../base/decimal.ts";
import { canonicalJson } from "../base/canonical-json.ts";
import { compareCodePoints } from "../base/text.ts";
import { compareInstants, type Instant, instantOf } from "./dates.ts";
import { type Json, type ValueType, isObject } from "./value-type.ts";

/** What a cell is ordered by (LANG-065). Keys of lower rank go first; equal keys are one group. */
export type OrderKey =
  | { readonly kind: "number"; readonly rank: number; readonly value: number | Decimal }
  | { readonly kind: "date"; readonly rank: number; readonly value: Instant }
  | { readonly kind: "text"; readonly rank: number; readonly value: string };

/**
 * The sort key of a cell by its declared type: numbers and decimal text numerically, dates by
 * instant, text by code point, references by key text, json booleans, numbers, text, then others.
 * Null for a cell that is null, unknown, or does not fit its type (LANG-066).
 */
export function sortKey(cell: Json | undefined, type: ValueType): OrderKey | null {
  if (cell === undefined || cell === null) return null;
  switch (type.kind) {
    case "number":
    case "integer":
      return numberKey(cell);
    case "date": {
      const value = instantOf(cell, type.format);
      return value === null ? null : { kind: "date", rank: 0, value };
    }
    case "boolean":
      return typeof cell === "boolean" ? textKey(cell ? 1 : 0, "") : null;
    case "entity_ref":
      return textKey(0, keyText(cell));
    case "string":
    case "uuid":
    case "select":
      return typeof cell === "string" ? textKey(0, cell) : null;
    case "blob":
    case "array":
    case "multi_select":
    case "json":
      return jsonKey(cell);
  }
}

/** Orders two sort keys, ascending. */
export function compareSortKeys(a: OrderKey, b: OrderKey): number {
  if (a.rank !== b.rank) return a.rank - b.rank;
  if (a.kind === "number" && b.kind === "number") return compareNumbers(a.value, b.value);
  if (a.kind === "date" && b.kind === "date") return compareInstants(a.value, b.value);
  if (a.kind === "text" && b.kind === "text") return compareCodePoints(a.value, b.value);
  return 0;
}

/** What equal cells of a column share, and no others: a key of a map. */
export type GroupKey = string | number | boolean;

/**
 * What a cell is told apart by, by its declared type: two cells of a column have one group key where
 * {@link compareSortKeys} finds their sort keys equal (LANG-065). Null as there.
 */
export function groupKey(cell: Json | undefined, type: ValueType): GroupKey | null {
  if (cell === undefined || cell === null) return null;
  switch (type.kind) {
    case "number":
    case "integer":
      return numberGroup(cell);
    case "date": {
      const value = instantOf(cell, type.format);
      return value === null ? null : `${value.seconds}.${value.nanos}`;
    }
    case "boolean":
      return typeof cell === "boolean" ? cell : null;
    case "entity_ref":
      return keyText(cell);
    case "string":
    case "uuid":
    case "select":
      return typeof cell === "string" ? cell : null;
    case "blob":
    case "array":
    case "multi_select":
    case "json":
      return jsonGroup(cell);
  }
}

function numberGroup(cell: Json): GroupKey | null {
  if (typeof cell === "number") return Number.isFinite(cell) ? cell : null;
  const value = typeof cell === "string" ? parseDecimal(cell) : null;
  return value === null ? null : decimalValue(value);
}

/** Texts, the texts of numbers that no double holds, and the canonical texts of lists and objects do not meet. */
function jsonGroup(cell: Json): GroupKey | null {
  if (typeof cell === "string") {
    const number = decimalBeyondDouble(cell);
    return `t${number === null ? cell : decimalValue(number)}`;
  }
  if (typeof cell === "boolean") return cell;
  return typeof cell === "number" ? numberGroup(cell) : `j${canonicalJson(cell)}`;
}

/**
 * A total preorder on the cells of a column (LANG-065). Nulls come last in both directions; a
 * stable sort keeps ties in order in both.
 */
export function compareCells(
  a: Json | undefined,
  b: Json | undefined,
  type: ValueType,
  descending = false,
): number {
  const left = sortKey(a, type);
  const right = sortKey(b, type);
  if (left === null || right === null) return Number(left === null) - Number(right === null);
  return descending ? compareSortKeys(right, left) : compareSortKeys(left, right);
}

function textKey(rank: number, value: string): OrderKey {
  return { kind: "text", rank, value };
}

/** Doubles are in the order of the decimals they are written as, so they need not become such. */
function compareNumbers(a: number | Decimal, b: number | Decimal): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return compareDecimal(decimal(a), decimal(b));
}

function decimal(value: number | Decimal): Decimal {
  if (typeof value !== "number") return value;
  const exact = parseDecimal(value);
  if (exact === null) throw new Error(`${value} is no number`);
  return exact;
}

function numberKey(cell: Json, rank = 0): OrderKey | null {
  if (typeof cell === "number") {
    return Number.isFinite(cell) ? { kind: "number", rank, value: cell } : null;
  }
  if (typeof cell !== "string") return null;
  const value = parseDecimal(cell);
  if (value === null) return null;
  // Most decimal text is a number that a double holds, and those compare faster.
  const held = decimalValue(value);
  return { kind: "number", rank, value: typeof held === "number" ? held : value };
}

function jsonKey(cell: Json): OrderKey | null {
  switch (typeof cell) {
    case "boolean":
      return textKey(cell ? 1 : 0, "");
    case "number":
      return numberKey(cell, 2);
    case "string": {
      const value = decimalBeyondDouble(cell);
      return value === null ? textKey(3, cell) : { kind: "number", rank: 2, value };
    }
    default:
      return textKey(4, canonicalJson(cell));
  }
}

/**
 * Returns the key of a row or reference as text (RUN-046): a simple key as it prints, a compound one as
 * `k=v` pairs sorted by code point with `%`, `,` and `=` percent-encoded. Keys compare by it.
 */
export function keyText(key: Json): string {
  if (typeof key === "string") return key;
  if (!isObject(key)) return typeof key === "object" ? canonicalJson(key) : String(key);
  const parts = Object.entries(key);
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) return keyText(only[1]);
  return partsText(inOrder(parts.map(([name]) => name)), key);
}

interface KeyPart {
  readonly name: string;
  readonly written: string;
}

type CompoundKey = { readonly [part: string]: Json };

/** The parts of a key in the order of its text. */
const inOrder = (names: readonly string[]): readonly KeyPart[] =>
  names.toSorted(compareCodePoints).map((name) => ({ name, written: escapePart(name) }));

const partsText = (parts: readonly KeyPart[], key: CompoundKey): string =>
  parts
    .map(({ name, written }) => `${written}=${escapePart(keyText(key[name] ?? null))}`)
    .join(",");

const ordered = new WeakMap<readonly string[], readonly KeyPart[]>();

/** The text of a key that has these parts, two or more: keys of one entity name them by one list (RUN-046). */
export function compoundKeyText(names: readonly string[], key: CompoundKey): string {
  const parts = ordered.get(names) ?? inOrder(names);
  ordered.set(names, parts);
  return partsText(parts, key);
}

function escapePart(text: string): string {
  if (!/[%,=]/.test(text)) return text;
  return text.replaceAll("%", "%25").replaceAll(",", "%2C").replaceAll("=", "%3D");
}
