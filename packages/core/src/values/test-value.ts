import { canonicalJson } from "../hash/canonical-json.ts";
import { instantOf, sameDate } from "./instant.ts";
import type { Json } from "./json.ts";
import { isObject, keyText } from "./key-text.ts";
import { compareSortKeys, sortKey } from "./sort-key.ts";
import type { ValueType } from "./value-type.ts";

/** The operators of conditions. */
export type TestOperator = "=" | "!=" | ">" | ">=" | "<" | "<=" | "~" | "in";

const TEXT: ValueType = { kind: "string", semantics: "short" };

/**
 * Whether a cell meets a condition, by its declared type (RUN-113). Logic is two-valued: a cell that
 * is null or unknown meets `= null` and `!= v` and nothing else.
 */
export function testValue(
  cell: Json | undefined,
  operator: TestOperator,
  value: Json,
  type: ValueType,
): boolean {
  if (cell === undefined || cell === null) {
    return value === null ? operator === "=" : operator === "!=";
  }
  if (value === null) return operator === "!=";
  switch (operator) {
    case "=":
      return equal(cell, value, type);
    case "!=":
      return !equal(cell, value, type);
    case "~":
      return contains(cell, value, type);
    case "in":
      return isList(value) && value.some((item) => item !== null && equal(cell, item, type));
    case ">":
      return ordered(cell, value, type, (order) => order > 0);
    case ">=":
      return ordered(cell, value, type, (order) => order >= 0);
    case "<":
      return ordered(cell, value, type, (order) => order < 0);
    case "<=":
      return ordered(cell, value, type, (order) => order <= 0);
  }
}

/** A cell or a value that does not fit the type is in no order. */
function ordered(
  cell: Json,
  value: Json,
  type: ValueType,
  fits: (order: number) => boolean,
): boolean {
  const left = sortKey(cell, type);
  const right = sortKey(value, type);
  return left !== null && right !== null && fits(compareSortKeys(left, right));
}

function equal(cell: Json, value: Json, type: ValueType): boolean {
  switch (type.kind) {
    case "number":
    case "integer":
      return ordered(cell, value, type, (order) => order === 0);
    case "date": {
      const left = instantOf(cell, type.format);
      const right = instantOf(value, type.format);
      return left !== null && right !== null && sameDate(left, right);
    }
    case "entity_ref":
      return keyText(cell) === keyText(value);
    case "array":
      return sameItems(cell, value, type.items);
    case "multi_select":
      return sameItems(cell, value, TEXT);
    case "string":
    case "uuid":
    case "blob":
    case "select":
    case "boolean":
    case "json":
      return canonicalJson(cell) === canonicalJson(value);
  }
}

function sameItems(cell: Json, value: Json, element: ValueType): boolean {
  if (!isList(cell) || !isList(value) || cell.length !== value.length) return false;
  return cell.every((item, at) => testValue(item, "=", value[at] ?? null, element));
}

/** `~`: a part of text, an element of a list, a key of an object; case does not matter (LANG-050). */
function contains(cell: Json, value: Json, type: ValueType): boolean {
  if (isList(cell)) {
    const element = type.kind === "array" ? type.items : type.kind === "json" ? type : TEXT;
    return cell.some((item) => item !== null && alike(item, value, element));
  }
  if (isObject(cell)) return Object.keys(cell).some((key) => alike(key, value, TEXT));
  return typeof cell === "string" && fold(cell).includes(fold(textOf(value)));
}

function alike(item: Json, value: Json, type: ValueType): boolean {
  if (typeof item === "string" && typeof value === "string") return fold(item) === fold(value);
  return equal(item, value, type);
}

function textOf(value: Json): string {
  return typeof value === "string" ? value : canonicalJson(value);
}

function fold(text: string): string {
  return text.toLowerCase();
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
