import type { JsonObject } from "../../values/json.ts";
import type { TextRange } from "../../source/span.ts";

/**
 * What an expression is while a template runs. Whole numbers are exact; a `float` is what a division, a
 * point or an exponent gave. Decimal text is text. `blank` is an inline `if` that gave nothing: it prints
 * as nothing and is not defined. `missing` is a name or key that is not there.
 */
export type Value =
  | { readonly kind: "null" }
  | { readonly kind: "blank" }
  | { readonly kind: "boolean"; readonly value: boolean }
  | { readonly kind: "integer"; readonly value: bigint }
  | { readonly kind: "float"; readonly value: number }
  | { readonly kind: "text"; readonly value: string }
  | ListValue
  | ObjectValue
  | MissingValue;

export interface ListValue {
  readonly kind: "list";
  readonly length: number;
  /** An item by its number from 0; only numbers below `length` are asked for. */
  readonly item: (at: number) => Value;
}

export interface ObjectValue {
  readonly kind: "object";
  readonly data: JsonObject;
}

/** Nothing, and where and why: it fails when it is used. */
export interface MissingValue {
  readonly kind: "missing";
  readonly at: TextRange;
  readonly message: string;
}

export const NULL: Value = { kind: "null" };
export const BLANK: Value = { kind: "blank" };

export const booleanValue = (value: boolean): Value => ({ kind: "boolean", value });
export const integerValue = (value: bigint | number): Value => ({
  kind: "integer",
  value: BigInt(value),
});
export const textValue = (value: string): Value => ({ kind: "text", value });

export function listValue(items: readonly Value[]): ListValue {
  return { kind: "list", length: items.length, item: (at) => items[at] ?? NULL };
}

/** How a message names a value. */
export function describe(value: Value): string {
  switch (value.kind) {
    case "null":
      return "null";
    case "blank":
    case "missing":
      return "nothing";
    case "boolean":
      return String(value.value);
    case "integer":
    case "float":
      return "a number";
    case "text":
      return "a text";
    case "list":
      return "a list";
    case "object":
      return "an object";
  }
}
