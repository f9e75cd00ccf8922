import { compareCodePoints, type Decimal, type Json, parseDecimal } from "@plasm/core";
import { keyText } from "../decode/identity.ts";
import { isArray, isObject } from "../json-kinds.ts";

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
