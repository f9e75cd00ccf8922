import {
  compareCodePoints,
  compareDecimal,
  type Decimal,
  type Json,
  parseDecimal,
  type ValueType,
} from "@plasm/core";
import { keyText } from "../decode/identity.ts";
import { isArray, isObject } from "../json-kinds.ts";
import { compareInstants, instantOf } from "./instant.ts";

/** JSON with sorted keys, the canonical text of values that have no order of their own. */
export function canonicalText(value: Json): string {
  if (isArray(value)) return `[${value.map(canonicalText).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.keys(value)
    .toSorted(compareCodePoints)
    .map((key) => `${JSON.stringify(key)}:${canonicalText(value[key] ?? null)}`);
  return `{${members.join(",")}}`;
}

/** The text of a reference cell, by which references are compared and sorted (RUN-046). */
export function referenceText(cell: Json): string {
  if (isObject(cell)) return keyText(cell);
  return typeof cell === "string" ? cell : JSON.stringify(cell);
}

export function decimalOf(value: Json): Decimal | null {
  return typeof value === "number" || typeof value === "string" ? parseDecimal(value) : null;
}

/** What a cell is sorted by: null where it has no value that fits its type (LANG-065, LANG-066). */
type SortKey =
  | { readonly kind: "decimal"; readonly rank: number; readonly value: Decimal }
  | { readonly kind: "instant"; readonly rank: number; readonly ms: number; readonly nanos: number }
  | { readonly kind: "text"; readonly rank: number; readonly value: string };

function jsonKey(value: Json): SortKey | null {
  if (value === null) return null;
  if (typeof value === "boolean") return { kind: "text", rank: 0, value: String(value) };
  if (typeof value === "number") {
    const decimal = parseDecimal(value);
    return decimal === null ? null : { kind: "decimal", rank: 1, value: decimal };
  }
  if (typeof value === "string") return { kind: "text", rank: 2, value };
  return { kind: "text", rank: 3, value: canonicalText(value) };
}

/** The sort key of a cell by its declared type; null sorts last. */
export function sortKey(cell: Json | undefined, type: ValueType): SortKey | null {
  if (cell === undefined || cell === null) return null;
  switch (type.kind) {
    case "number":
    case "integer": {
      const value = decimalOf(cell);
      return value === null ? null : { kind: "decimal", rank: 0, value };
    }
    case "date": {
      const at = instantOf(cell, type.format);
      return at === null ? null : { kind: "instant", rank: 0, ms: at.ms, nanos: at.nanos };
    }
    case "entity_ref":
      return { kind: "text", rank: 0, value: referenceText(cell) };
    case "string":
    case "uuid":
    case "select":
    case "blob":
      return typeof cell === "string" ? { kind: "text", rank: 0, value: cell } : jsonKey(cell);
    case "boolean":
    case "json":
    case "array":
    case "multi_select":
      return jsonKey(cell);
  }
}

/** Orders two sort keys, ascending; nulls are the caller's. */
export function compareSortKeys(a: SortKey, b: SortKey): number {
  if (a.rank !== b.rank) return a.rank - b.rank;
  if (a.kind === "decimal" && b.kind === "decimal") return compareDecimal(a.value, b.value);
  if (a.kind === "instant" && b.kind === "instant") {
    return compareInstants({ ...a, bare: false }, { ...b, bare: false });
  }
  if (a.kind === "text" && b.kind === "text") return compareCodePoints(a.value, b.value);
  return 0;
}
