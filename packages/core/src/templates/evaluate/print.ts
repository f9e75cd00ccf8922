import { parseDecimal, plainDecimal } from "../../base/decimal.ts";
import type { TextRange } from "../../base/span.ts";
import type { Run } from "./run.ts";
import { NULL, type TemplateValue } from "./value.ts";
import { compareCodePoints } from "../../base/text.ts";
import type { JsonObject } from "../../values/value-type.ts";
import { INTEGER_LIMIT } from "../tree.ts";

const MAX_NESTING = 200;

/** A value as output: null as nothing (LANG-081), text as it is, lists and objects as JSON. */
export function printTemplateValue(run: Run, at: TextRange, value: TemplateValue): string {
  switch (value.kind) {
    case "null":
    case "blank":
      return "";
    case "missing":
      run.fail(value.at, value.message);
      return "";
    case "text":
      return value.value;
    case "boolean":
    case "integer":
      return String(value.value);
    case "float":
      return floatText(value.value);
    case "list":
    case "object":
      return sortedJsonText(run, at, value, { item: ", ", member: ": " });
  }
}

/** How JSON is spaced. */
interface Spacing {
  readonly item: string;
  readonly member: string;
}

/** A value as JSON, members in the order of their keys. */
export function sortedJsonText(
  run: Run,
  at: TextRange,
  value: TemplateValue,
  spacing: Spacing = { item: ",", member: ":" },
): string {
  const parts: string[] = [];
  let length = 0;
  const write = (part: string): void => {
    parts.push(part);
    length += part.length;
  };
  const visit = (each: TemplateValue, nesting: number): void => {
    if (nesting > MAX_NESTING) run.fail(at, `The data nests more than ${MAX_NESTING} levels deep.`);
    if (length > run.limits.output) run.mayMake(at, length);
    if (!run.spend(at)) return;
    switch (each.kind) {
      case "null":
      case "blank":
        return write("null");
      case "text":
        return write(JSON.stringify(each.value));
      case "list":
        write("[");
        for (let index = 0; index < each.length && run.failure === null; index++) {
          if (index > 0) write(spacing.item);
          visit(each.item(index), nesting + 1);
        }
        return write("]");
      case "object": {
        write("{");
        sortedKeys(each.data).forEach((key, index) => {
          const member = dataMember(each.data, key);
          if (index > 0) write(spacing.item);
          write(JSON.stringify(key) + spacing.member);
          visit(member ?? { kind: "null" }, nesting + 1);
        });
        return write("}");
      }
      default:
        write(printTemplateValue(run, at, each));
    }
  };
  visit(value, 0);
  return run.mayMake(at, length) ? parts.join("") : "";
}

/** A float in digits, with a point even if it is whole; zero has no sign (LANG-041). */
function floatText(value: number): string {
  const decimal = parseDecimal(value === 0 ? 0 : value);
  const digits = decimal === null ? "" : plainDecimal(decimal);
  return digits.includes(".") ? digits : `${digits}.0`;
}

/**
 * Data as templates see it; undefined for what is no JSON: instances of classes, functions, symbols.
 * A number without fraction is a whole number.
 */
export function fromJson(data: unknown): TemplateValue | undefined {
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

function fromNumber(data: number): TemplateValue | undefined {
  if (Number.isSafeInteger(data)) return { kind: "integer", value: BigInt(data) };
  const decimal = parseDecimal(data);
  if (decimal === null) return undefined;
  if (!Number.isInteger(data) || Math.abs(data) >= Number(INTEGER_LIMIT)) {
    return { kind: "float", value: data };
  }
  // The digits a double prints, not those of the binary fraction behind them.
  return { kind: "integer", value: BigInt(plainDecimal(decimal)) };
}

function fromObject(data: object): TemplateValue | undefined {
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
export function dataMember(data: JsonObject, key: string): TemplateValue | undefined {
  return fromJson(Object.getOwnPropertyDescriptor(data, key)?.value);
}

/** The keys of plain data in code point order: the order of members means nothing (RUN-002). */
export function sortedKeys(data: JsonObject): readonly string[] {
  return Object.keys(data).sort(compareCodePoints);
}
