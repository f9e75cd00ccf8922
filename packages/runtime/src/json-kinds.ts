import type { Json, JsonObject } from "@plasm/core";

/** Whether a JSON value is an object: neither null nor an array. */
export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isArray(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

export function isScalar(value: Json | undefined): value is string | number | boolean {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

/** Whether an object has a member of its own by that name, whatever its value. */
export function hasMember(value: Json | undefined, key: string): value is JsonObject {
  return isObject(value) && Object.hasOwn(value, key);
}

/** The name of a JSON value's type, for messages. */
export function typeName(value: Json | undefined): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (isArray(value)) return "an array";
  if (isObject(value)) return "an object";
  return typeof value === "string" ? "text" : `a ${typeof value}`;
}

/** A JSON value as text: scalars as they print, anything else as JSON. */
export function jsonText(value: Json | undefined): string {
  return isScalar(value) ? String(value) : JSON.stringify(value ?? null);
}

/** Text cut to a number of code points, with `…` in place of the rest. */
export function clip(text: string, points: number): string {
  if (text.length <= points) return text;
  const all = [...text];
  return all.length <= points ? text : `${all.slice(0, points - 1).join("")}…`;
}
