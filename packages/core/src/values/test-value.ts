import { decimalBeyondDouble } from "../base/decimal.ts";
import { canonicalJson } from "../base/canonical-json.ts";
import { type Instant, instantOf, parseInstant, sameDate } from "./dates.ts";
import { type Json, type ValueType, isArray, isObject } from "./value-type.ts";
import { compareSortKeys, groupKey, keyText, sortKey } from "./sort-key.ts";

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
      return isArray(value) && value.some((item) => item !== null && equal(cell, item, type));
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
  if (type.kind === "json" && isArray(cell)) {
    return cell.some((item) => item !== null && ordered(item, value, type, fits));
  }
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
      return isArray(cell) ? hasEach(cell, value, equalJson) : equalJson(cell, value);
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
  const items = isArray(cell) ? cell : [cell];
  const has = (wanted: Json): boolean =>
    items.some((item) =>
      item === null || wanted === null ? item === wanted : meets(item, wanted),
    );
  if (!isArray(value)) return has(value);
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
  if (isArray(cell)) {
    const element = type.kind === "array" ? type.items : TEXT;
    return cell.some((item) => item !== null && alike(item, value, element));
  }
  return typeof cell === "string" && fold(cell).includes(fold(textOf(value)));
}

function mentions(cell: Json, text: string): boolean {
  if (cell === null) return false;
  if (isArray(cell)) return cell.some((item) => mentions(item, text));
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

/** A shorter list is gone through for each cell: nothing has to be made of it first. */
const SHORT = 8;

/** Whether a cell that is not null is one of some values. */
type IsMember = (cell: Json) => boolean;

/**
 * The test `in` for one list and many cells: the same answer as {@link testValue} gives, in a time that hardly grows
 * with the list (RUN-113).
 */
export function memberTest(list: Json, type: ValueType): (cell: Json | undefined) => boolean {
  const values = isArray(list) ? list.filter((value) => value !== null) : [];
  const index = values.length <= SHORT ? null : indexOf(values, type);
  if (index === null) return (cell) => testValue(cell, "in", list, type);
  return (cell) => cell !== undefined && cell !== null && index(cell);
}

/** Values by what cells equal them by; null for types whose values are alike in more ways than one. */
function indexOf(values: readonly Json[], type: ValueType): IsMember | null {
  switch (type.kind) {
    case "number":
    case "integer":
      return byKey(values, (value) => groupKey(value, type));
    case "entity_ref":
      return byKey(values, keyText);
    case "string":
    case "uuid":
    case "blob":
    case "select":
    case "boolean":
      return byValue(values);
    case "date":
      return byDate(values, (value) => instantOf(value, type.format));
    case "array":
      return ofElements(values, indexOf(values, type.items));
    case "multi_select":
      return ofElements(values, indexOf(values, { kind: "string", semantics: "short" }));
    case "json":
      return null;
  }
}

function byKey(values: readonly Json[], keyOf: (value: Json) => unknown): IsMember {
  const keys = new Set(values.map(keyOf));
  keys.delete(null);
  return (cell) => keys.has(keyOf(cell));
}

/** Scalars as they are, lists and objects by how they are written. */
function byValue(values: readonly Json[]): IsMember {
  const scalars = new Set(values.filter((value) => typeof value !== "object"));
  const others = new Set(
    values.filter((value) => typeof value === "object").map((value) => canonicalJson(value)),
  );
  return (cell) => (typeof cell === "object" ? others.has(canonicalJson(cell)) : scalars.has(cell));
}

const DAY = 86_400;
const dayOf = ({ seconds }: Instant): number => Math.floor(seconds / DAY);
const momentOf = ({ seconds, nanos }: Instant): string => `${seconds}.${nanos}`;

/** Dates without a time are days, with one they are moments, and one of each is alike if it is of the same day. */
function byDate(values: readonly Json[], read: (value: Json) => Instant | null): IsMember {
  const bare = new Set<string>();
  const timed = new Set<string>();
  const days = { bare: new Set<number>(), timed: new Set<number>() };
  for (const value of values) {
    const instant = read(value);
    if (instant === null) continue;
    (instant.bare ? bare : timed).add(momentOf(instant));
    (instant.bare ? days.bare : days.timed).add(dayOf(instant));
  }
  return (cell) => {
    const instant = read(cell);
    if (instant === null) return false;
    if (instant.bare) return bare.has(momentOf(instant)) || days.timed.has(dayOf(instant));
    return timed.has(momentOf(instant)) || days.bare.has(dayOf(instant));
  };
}

/** A list has a value if one of its elements is it; of several values, all must be among its elements. */
function ofElements(values: readonly Json[], isElement: IsMember | null): IsMember | null {
  if (isElement === null || values.some(isArray)) return null;
  return (cell) =>
    isArray(cell) ? cell.some((item) => item !== null && isElement(item)) : isElement(cell);
}

/** Whether a cell exists: it is not null, and if it is a list, it has an element, as a relation has a row (LANG-049). */
export function isPresent(cell: Json): boolean {
  return cell !== null && !(Array.isArray(cell) && cell.length === 0);
}
