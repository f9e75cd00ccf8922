import { compareCodePoints, compareDecimal, type Json, type ValueType } from "@plasm/core";
import { isArray, isObject, jsonText } from "../json-kinds.ts";
import { canonicalText, decimalOf, referenceText } from "./compare-cells.ts";
import { compareInstants, instantOf, sameDate } from "./instant.ts";

export type TestOp = "=" | "!=" | ">" | ">=" | "<" | "<=" | "~" | "in";

const TEXT: ValueType = Object.freeze({ kind: "string", semantics: "short" });

const fold = (text: string): string => text.toLowerCase();

/** How two values of a type are ordered; null if one of them does not fit the type. */
function order(cell: Json, value: Json, type: ValueType): number | null {
  if (type.kind === "number" || type.kind === "integer") {
    const [a, b] = [decimalOf(cell), decimalOf(value)];
    return a === null || b === null ? null : compareDecimal(a, b);
  }
  if (type.kind === "date") {
    const [a, b] = [instantOf(cell, type.format), instantOf(value, type.format)];
    return a === null || b === null ? null : compareInstants(a, b);
  }
  return typeof cell === "string" && typeof value === "string"
    ? compareCodePoints(cell, value)
    : null;
}

function listsEqual(cell: Json, value: Json, element: ValueType): boolean {
  if (!isArray(cell) || !isArray(value) || cell.length !== value.length) return false;
  return cell.every((item, i) => equal(item, value[i] ?? null, element));
}

/** Whether a cell equals a value, by declared type (RUN-113). */
function equal(cell: Json, value: Json, type: ValueType): boolean {
  if (cell === null || value === null) return cell === value;
  switch (type.kind) {
    case "number":
    case "integer":
      return order(cell, value, type) === 0;
    case "date": {
      const [a, b] = [instantOf(cell, type.format), instantOf(value, type.format)];
      return a !== null && b !== null && sameDate(a, b);
    }
    case "entity_ref":
      return referenceText(cell) === referenceText(value);
    case "array":
      return listsEqual(cell, value, type.items);
    case "multi_select":
      return listsEqual(cell, value, TEXT);
    case "json":
      return canonicalText(cell) === canonicalText(value);
    case "string":
    case "uuid":
    case "blob":
    case "select":
    case "boolean":
      return isObject(cell) || isArray(cell)
        ? canonicalText(cell) === canonicalText(value)
        : jsonText(cell) === jsonText(value);
  }
}

const foldedEqual = (item: Json, value: Json, type: ValueType): boolean =>
  typeof item === "string" && typeof value === "string"
    ? fold(item) === fold(value)
    : equal(item, value, type);

/** `~`: substring of text, element of a list, key of an object; case does not matter (LANG-050). */
function contains(cell: Json, value: Json, type: ValueType): boolean {
  if (isArray(cell)) {
    const element = type.kind === "array" ? type.items : type.kind === "json" ? type : TEXT;
    return cell.some((item) => foldedEqual(item, value, element));
  }
  const wanted = typeof value === "string" ? fold(value) : canonicalText(value);
  if (isObject(cell)) return Object.keys(cell).some((key) => fold(key) === wanted);
  return typeof cell === "string" && fold(cell).includes(wanted);
}

/**
 * Tests a cell, by declared type. Null, or unknown after hydration, satisfies `= null` and `!= v`
 * and no other operator (RUN-113).
 */
export function testCell(
  cell: Json | undefined,
  op: TestOp,
  value: Json,
  type: ValueType,
): boolean {
  if (cell === undefined || cell === null) {
    return op === "=" ? value === null : op === "!=" ? value !== null : false;
  }
  if (value === null) return op === "!=";
  switch (op) {
    case "=":
      return equal(cell, value, type);
    case "!=":
      return !equal(cell, value, type);
    case "~":
      return contains(cell, value, type);
    case "in":
      return isArray(value) && value.some((item) => item !== null && equal(cell, item, type));
    case ">":
    case ">=":
    case "<":
    case "<=": {
      const ordered = order(cell, value, type);
      if (ordered === null) return false;
      if (op === ">") return ordered > 0;
      if (op === ">=") return ordered >= 0;
      return op === "<" ? ordered < 0 : ordered <= 0;
    }
  }
}
