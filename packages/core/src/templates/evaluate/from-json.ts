import { plainDecimal } from "../../decimal/plain-decimal.ts";
import { parseDecimal } from "../../decimal/parse-decimal.ts";
import { compareCodePoints } from "../../text/compare-code-points.ts";
import type { JsonObject } from "../../values/json.ts";
import { INTEGER_LIMIT } from "../integer-limit.ts";
import { NULL, type Value } from "./value.ts";

/**
 * Data as templates see it; undefined for what is no JSON: instances of classes, functions, symbols.
 * A number without fraction is a whole number.
 */
export function fromJson(data: unknown): Value | undefined {
  switch (typeof data) {
    case "string":
      return { kind: "text", value: data };
    case "boolean":
      return { kind: "boolean", value: data };
    case "number":
      return fromNumber(data);
    case "object":
      return data === null ? NULL : fromObject(data);
    default:
      return undefined;
  }
}

function fromNumber(data: number): Value | undefined {
  if (Number.isSafeInteger(data)) return { kind: "integer", value: BigInt(data) };
  const decimal = parseDecimal(data);
  if (decimal === null) return undefined;
  if (!Number.isInteger(data) || Math.abs(data) >= Number(INTEGER_LIMIT)) {
    return { kind: "float", value: data };
  }
  // The digits a double prints, not those of the binary fraction behind them.
  return { kind: "integer", value: BigInt(plainDecimal(decimal)) };
}

function fromObject(data: object): Value | undefined {
  if (Array.isArray(data)) {
    const items: readonly unknown[] = data;
    return { kind: "list", length: items.length, item: (at) => fromJson(items[at]) ?? NULL };
  }
  return isPlain(data) ? { kind: "object", data } : undefined;
}

function isPlain(data: object): data is JsonObject {
  const prototype: unknown = Object.getPrototypeOf(data);
  return prototype === null || prototype === Object.prototype;
}

/** A member of plain data; undefined if there is none. Getters are never run, prototypes never read. */
export function memberOf(data: JsonObject, key: string): Value | undefined {
  return fromJson(Object.getOwnPropertyDescriptor(data, key)?.value);
}

/** The keys of plain data in code point order: the order of members means nothing (RUN-002). */
export function sortedKeys(data: JsonObject): readonly string[] {
  return Object.keys(data).sort(compareCodePoints);
}
