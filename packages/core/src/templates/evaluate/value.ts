import type { JsonObject } from "../../values/value-type.ts";
import type { TextRange } from "../../base/span.ts";

/**
 * What an expression is while a template runs. Whole numbers are exact; a `float` is what a division, a
 * point or an exponent gave. Decimal text is text. `blank` is an inline `if` that gave nothing: it prints
 * as nothing and is not defined. `missing` is a name or key that is not there.
 */
export type TemplateValue =
  | { readonly kind: "null" }
  | { readonly kind: "blank" }
  | { readonly kind: "boolean"; readonly value: boolean }
  | { readonly kind: "integer"; readonly value: bigint }
  | { readonly kind: "float"; readonly value: number }
  | { readonly kind: "text"; readonly value: string }
  | TemplateList
  | TemplateObject
  | MissingValue;

export interface TemplateList {
  readonly kind: "list";
  readonly length: number;
  /** An item by its number from 0; only numbers below `length` are asked for. */
  readonly item: (at: number) => TemplateValue;
}

export interface TemplateObject {
  readonly kind: "object";
  readonly data: JsonObject;
}

/** Nothing, and where and why: it fails when it is used. */
export interface MissingValue {
  readonly kind: "missing";
  readonly at: TextRange;
  readonly message: string;
}

export const NULL: TemplateValue = { kind: "null" };
export const BLANK: TemplateValue = { kind: "blank" };

export const booleanValue = (value: boolean): TemplateValue => ({ kind: "boolean", value });
export const integerValue = (value: bigint | number): TemplateValue => ({
  kind: "integer",
  value: BigInt(value),
});
export const textValue = (value: string): TemplateValue => ({ kind: "text", value });

export function listValue(items: readonly TemplateValue[]): TemplateList {
  return { kind: "list", length: items.length, item: (at) => items[at] ?? NULL };
}

/** How a message names a value. */
export function describe(value: TemplateValue): string {
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

/** The loop that a part of a template runs in. */
export interface Loop {
  readonly items: TemplateList;
  /** The turn, from 0. */
  readonly at: number;
}

/** Names given by `set` and `for`, those of the parts around included. */
export interface Scope {
  readonly names: Map<string, TemplateValue>;
  readonly outer: Scope | null;
  readonly loop: Loop | null;
}

/** What a name was given, or undefined. */
export function findName(scope: Scope, name: string): TemplateValue | undefined {
  for (let each: Scope | null = scope; each !== null; each = each.outer) {
    const value = each.names.get(name);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** How many characters (code points) a text has; half a surrogate pair counts as one. */
export function characterCount(text: string): number {
  let count = text.length;
  for (let at = 1; at < text.length; at++) if (isPair(text, at - 1)) count--;
  return count;
}

/** The character of a text by its number from 0, or from the end as -1, -2; undefined if there is none. */
export function characterAt(text: string, number: number): string | undefined {
  let at = number < 0 ? text.length : 0;
  for (let left = number; left > 0 && at < text.length; left--) at += isPair(text, at) ? 2 : 1;
  for (let left = number; left < 0 && at >= 0; left++) at -= isPair(text, at - 2) ? 2 : 1;
  if (at < 0 || at >= text.length) return undefined;
  return text.slice(at, at + (isPair(text, at) ? 2 : 1));
}

function isPair(text: string, at: number): boolean {
  return (text.codePointAt(at) ?? 0) > 0xffff;
}
