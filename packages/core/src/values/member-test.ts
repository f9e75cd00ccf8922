import { canonicalJson } from "../hash/canonical-json.ts";
import { type Instant, instantOf } from "./instant.ts";
import type { Json } from "./json.ts";
import { keyText } from "./key-text.ts";
import { groupKey } from "./sort-key.ts";
import { testValue } from "./test-value.ts";
import type { ValueType } from "./value-type.ts";

/** A shorter list is gone through for each cell: nothing has to be made of it first. */
const SHORT = 8;

/** Whether a cell that is not null is one of some values. */
type IsMember = (cell: Json) => boolean;

/**
 * The test `in` for one list and many cells: the same answer as {@link testValue} gives, in a time that hardly grows
 * with the list (RUN-113).
 */
export function memberTest(list: Json, type: ValueType): (cell: Json | undefined) => boolean {
  const values = isList(list) ? list.filter((value) => value !== null) : [];
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
  if (isElement === null || values.some(isList)) return null;
  return (cell) =>
    isList(cell) ? cell.some((item) => item !== null && isElement(item)) : isElement(cell);
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
