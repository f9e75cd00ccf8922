import { bigOf, decimalValue, numberValue, parseDecimal } from "../base/decimal.ts";
import { type Instant, instantOf } from "./dates.ts";
import { type Json, type TemporalFormat, type ValueType, isObject } from "./value-type.ts";
import { keyText } from "./sort-key.ts";

/** A value in the form its slot takes, or what the slot takes instead. */
export type Coerced = { readonly value: Json } | { readonly takes: string };

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * A value that is known at run as a slot of a type takes it (LANG-040, LANG-045, RUN-016): text of
 * numbers and numbers of text, dates in the wire format, one element as a list. Null passes: whether
 * it may is the slot's business.
 */
export function coerceValue(value: Json, type: ValueType): Coerced {
  if (value === null || type.kind === "json") return { value };
  switch (type.kind) {
    case "string":
      return coerceText(value);
    case "uuid":
      return typeof value === "string" && UUID.test(value) ? { value } : { takes: "a uuid" };
    case "blob":
      return typeof value === "string" || isObject(value) ? { value } : { takes: "a blob" };
    case "number":
    case "integer":
      return coerceNumber(value, type.kind === "integer");
    case "boolean":
      if (value === "true" || value === "false") return { value: value === "true" };
      return typeof value === "boolean" ? { value } : { takes: "true or false" };
    case "select":
      return coerceOption(value, type.options);
    case "date": {
      const instant = instantOf(value, type.format);
      return instant === null ? { takes: "a date" } : { value: wireDate(instant, type.format) };
    }
    case "multi_select":
      return coerceList(value, { kind: "select", options: type.options });
    case "array":
      return coerceList(value, type.items);
    case "entity_ref":
      return Array.isArray(value) || typeof value === "boolean"
        ? { takes: `a key of ${type.target}` }
        : { value };
  }
}

function coerceText(value: Json): Coerced {
  if (typeof value === "string") return { value };
  if (typeof value === "number") return { value: String(value) };
  // A reference gives its key, if that has one part.
  const single = isObject(value) && Object.keys(value).length === 1;
  return single ? { value: keyText(value) } : { takes: "text" };
}

const isWhole = (big: ReturnType<typeof bigOf>): boolean => big.eq(big.round(0, 0));

function coerceNumber(value: Json, whole: boolean): Coerced {
  const takes = whole ? "a whole number" : "a number";
  if (typeof value !== "number" && typeof value !== "string") return { takes };
  if (Number.isSafeInteger(value)) return { value: Number(value) + 0 };
  if (typeof value === "string" && numberValue(value.trim()) === null) return { takes };
  const decimal = parseDecimal(typeof value === "string" ? value.trim() : value);
  if (decimal === null || (whole && !isWhole(bigOf(decimal)))) return { takes };
  return { value: decimalValue(decimal) };
}

function coerceOption(value: Json, options: readonly string[]): Coerced {
  const plain =
    typeof value === "string" || typeof value === "number" || typeof value === "boolean";
  const text = plain ? String(value) : null;
  const known = text !== null && (options.length === 0 || options.includes(text));
  return known
    ? { value: text }
    : { takes: options.length === 0 ? "text" : `one of ${options.join(", ")}` };
}

function coerceList(value: Json, element: ValueType): Coerced {
  const items = Array.isArray(value) ? (value as readonly Json[]) : [value];
  const coerced: Json[] = [];
  for (const item of items) {
    const result =
      Array.isArray(item) && element.kind !== "json" ? null : coerceValue(item, element);
    if (result === null || "takes" in result) {
      return { takes: `a list, each ${result?.takes ?? "a single value"}` };
    }
    coerced.push(result.value);
  }
  return { value: coerced };
}

/** An instant as a wire format writes it, in UTC (RUN-016). */
export function wireDate(instant: Instant, format: TemporalFormat): string | number {
  switch (format) {
    case "rfc3339":
      return `${isoSeconds(instant)}${fraction(instant)}Z`;
    case "iso8601_date":
      return isoSeconds(instant).slice(0, 10);
    case "unix_sec":
      return instant.seconds;
    case "unix_ms":
      return instant.seconds * 1000 + Math.floor(instant.nanos / 1e6);
  }
}

/** An instant as a plan writes it: a bare date as such, else with time and `Z` (PLAN-003). */
export function canonicalDate(instant: Instant): string {
  return String(wireDate(instant, instant.bare ? "iso8601_date" : "rfc3339"));
}

function isoSeconds({ seconds }: Instant): string {
  return new Date(seconds * 1000).toISOString().slice(0, 19);
}

function fraction({ nanos }: Instant): string {
  return nanos === 0
    ? ""
    : `.${String(nanos)
        .padStart(9, "0")
        .replace(/(?<!0)0+$/, "")}`;
}
