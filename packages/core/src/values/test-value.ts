import { decimalBeyondDouble } from "../decimal/parse-decimal.ts";
import { canonicalJson } from "../hash/canonical-json.ts";
import { instantOf, parseInstant, sameDate } from "./instant.ts";
import type { Json } from "./json.ts";
import { isObject, keyText } from "./key-text.ts";
import { compareSortKeys, sortKey } from "./sort-key.ts";
import type { ValueType } from "./value-type.ts";

/** The operators of conditions. */
export type TestOperator = "=" | "!=" | ">" | ">=" | "<" | "<=" | "~" | "in";

const TEXT: ValueType = { kind: "string", semantics: "short" };

/**
 * Returns whether a cell meets a condition, by its declared type (RUN-113): a list equals each element it
 * has, and json is compared as what the cell turns out to be. Logic is two-valued: a cell that is null or
 * unknown meets `= null` and `!= v` and nothing else.
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
  const as = type.kind === "json" ? orderedAs(cell, value) : type;
  const left = as === null ? null : sortKey(cell, as);
  const right = as === null ? null : sortKey(value, as);
  return left !== null && right !== null && fits(compareSortKeys(left, right));
}

const NUMBER: ValueType = { kind: "number" };
const DATE: ValueType = { kind: "date", format: "rfc3339" };

/** What two values of json are ordered as: numbers, dates or text; null for kinds that have no order. */
function orderedAs(cell: Json, value: Json): ValueType | null {
  if (typeof cell === "number" || typeof value === "number") return NUMBER;
  if (typeof cell !== "string" || typeof value !== "string") return null;
  if (isBeyondDouble(cell) || isBeyondDouble(value)) return NUMBER;
  return parseInstant(cell) !== null && parseInstant(value) !== null ? DATE : TEXT;
}

const isBeyondDouble = (text: string): boolean => decimalBeyondDouble(text) !== null;

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
      return hasEach(cell, value, (item, wanted) => equal(item, wanted, type.items));
    case "multi_select":
      return hasEach(cell, value, same);
    case "json":
      return isList(cell) ? hasEach(cell, value, equalJson) : equalJson(cell, value);
    case "string":
    case "uuid":
    case "blob":
    case "select":
    case "boolean":
      return same(cell, value);
  }
}

function same(cell: Json, value: Json): boolean {
  const plain = typeof cell !== "object" || typeof value !== "object";
  return plain ? cell === value : canonicalJson(cell) === canonicalJson(value);
}

/** Whether a list has a value, or each of several; only an empty list equals `[]` (LANG-050). */
function hasEach(cell: Json, value: Json, meets: (item: Json, wanted: Json) => boolean): boolean {
  const items = isList(cell) ? cell : [cell];
  const has = (wanted: Json): boolean =>
    items.some((item) =>
      item === null || wanted === null ? item === wanted : meets(item, wanted),
    );
  if (!isList(value)) return has(value);
  return value.length === 0 ? items.length === 0 : value.every(has);
}

/** Values of json are equal as numbers, dates, text or truth if they are such, else as they are written. */
function equalJson(cell: Json, value: Json): boolean {
  if (typeof cell === "object" || typeof value === "object") return same(cell, value);
  if (typeof cell === "boolean" || typeof value === "boolean")
    return String(cell) === String(value);
  if (typeof cell === "string" && typeof value === "string") {
    if (cell === value) return true;
    const [left, right] = [parseInstant(cell), parseInstant(value)];
    if (left !== null && right !== null) return sameDate(left, right);
    if (!isBeyondDouble(cell) && !isBeyondDouble(value)) return false;
  }
  return ordered(cell, value, NUMBER, (order) => order === 0);
}

/**
 * `~`: a part of text, an element of a list, a part of any text, number or key in json; case does not
 * matter (LANG-050).
 */
function contains(cell: Json, value: Json, type: ValueType): boolean {
  if (type.kind === "json") return mentions(cell, fold(textOf(value)));
  if (isList(cell)) {
    const element = type.kind === "array" ? type.items : TEXT;
    return cell.some((item) => item !== null && alike(item, value, element));
  }
  return typeof cell === "string" && fold(cell).includes(fold(textOf(value)));
}

function mentions(cell: Json, text: string): boolean {
  if (cell === null) return false;
  if (isList(cell)) return cell.some((item) => mentions(item, text));
  if (!isObject(cell)) return fold(String(cell)).includes(text);
  return Object.entries(cell).some(
    ([key, item]) => fold(key).includes(text) || mentions(item, text),
  );
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
