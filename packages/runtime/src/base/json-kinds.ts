import type { Json, JsonObject } from "@plasm/core";
import { isArray, isObject } from "@plasm/core/internal";

export { clip, isArray, isObject } from "@plasm/core/internal";

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

/** What a value comes to when it is written out: parts that it shares count each time they stand in it. */
export interface Size {
  /** scalars, lists and objects, the value itself included */
  readonly cells: number;
  /** bytes of its JSON text in UTF-8 */
  readonly bytes: number;
}

/** Characters that JSON writes as more than they are. */
const ESCAPED = /["\\\p{Cc}\p{Cs}]/u;

/** A text longer than this is counted as if each of its characters were escaped, not written out to be measured. */
const MEASURED = 1_000_000;

function textBytes(text: string): number {
  if (!ESCAPED.test(text)) return Buffer.byteLength(text) + 2;
  return text.length > MEASURED ? text.length * 6 : Buffer.byteLength(JSON.stringify(text));
}

/** Sizes of lists and objects that were measured: a value that is nested in many is measured once. */
const known = new WeakMap<object, Size>();

function sizeOfParts(value: Extract<Json, object>): Size {
  let cells = 1;
  let bytes = 2;
  if (Array.isArray(value)) {
    for (const item of value as readonly Json[]) {
      const part = sizeOf(item);
      cells += part.cells;
      bytes += part.bytes + 1;
    }
    return { cells, bytes };
  }
  for (const [name, item] of Object.entries(value)) {
    const part = sizeOf(item);
    cells += part.cells;
    bytes += textBytes(name) + part.bytes + 2;
  }
  return { cells, bytes };
}

/** Returns the size of a value as it would be written out; values never change once they are made. */
export function sizeOf(value: Json): Size {
  if (typeof value === "string") return { cells: 1, bytes: textBytes(value) };
  if (typeof value !== "object") return { cells: 1, bytes: String(value).length };
  if (value === null) return NULL;
  const before = known.get(value);
  if (before !== undefined) return before;
  const size = sizeOfParts(value);
  known.set(value, size);
  return size;
}

const NULL: Size = Object.freeze({ cells: 1, bytes: 4 });
