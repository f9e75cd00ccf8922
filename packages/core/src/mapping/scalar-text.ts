import type { Json } from "../values/json.ts";

/** A string, number or boolean as text; undefined for anything else. */
export function scalarText(value: Json): string | undefined {
  switch (typeof value) {
    case "string":
      return value;
    case "number":
    case "boolean":
      return String(value);
    default:
      return undefined;
  }
}

/** What a value is, as a message names it. */
export function describeValue(value: Json): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
