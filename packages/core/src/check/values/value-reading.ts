import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { ColumnType } from "../types.ts";
import type { TypedValue } from "../typed-program.ts";
import type { Value } from "../../language/grammar/ast-values.ts";

/** Where a value stands. */
export interface ValueSlot {
  /** the slot as the program writes it, for errors */
  readonly shown: string;
  readonly type: ColumnType;
  /** whether explicit null is legal (LANG-042) */
  readonly nullable: boolean;
  /** whether it may be left out instead; false where that is not known */
  readonly omittable?: boolean;
  /** whether text alone is no list there: an argument of a call (LANG-040) */
  readonly wantsList?: boolean;
  /** whether it is the value of a condition, which takes several with `in` */
  readonly inTakesMany?: boolean;
  /** `wire`: sent as it is; `test`: compared with cells, dates keep their precision (RUN-113) */
  readonly use: "wire" | "test";
}

/** A value read for a slot, or what is wrong with it. A value that only lacks a `$` has both. */
export interface ValueReading {
  readonly value: TypedValue | null;
  readonly problems: readonly Diagnostic[];
}

const NONE: readonly Diagnostic[] = [];

export function readAs(value: TypedValue): ValueReading {
  return { value, problems: NONE };
}

export function literal(value: null | boolean | number | string): ValueReading {
  return readAs({ kind: "lit", value });
}

export function unreadable(...problems: readonly Diagnostic[]): ValueReading {
  return { value: null, problems };
}

/** Stands for a part that is in error already: it fits everything and causes no further error. */
export const UNKNOWN_VALUE: TypedValue = { kind: "placeholder" };

/** The source text of a value that text slots take (LANG-040), or null for the other forms. */
export function literalText(value: Value): string | null {
  switch (value.kind) {
    case "StringValue":
    case "HeredocValue":
      return value.text;
    case "NumberValue":
    case "DateValue":
    case "UuidValue":
    case "WordValue":
      return value.raw;
    case "BoolValue":
    case "NullValue":
    case "PlaceholderValue":
    case "ConstructorValue":
    case "ListValue":
    case "ObjectValue":
    case "BinaryValue":
    case "UnaryValue":
    case "DurationValue":
    case "SliceValue":
    case "MemberValue":
    case "RelatedValue":
    case "Bad":
      return null;
  }
}

/** How a value is called in an error: as written, or by its form if it is long. */
export function foundText(value: Value, written: string): string {
  switch (value.kind) {
    case "ListValue":
      return "a list";
    case "ObjectValue":
      return "an object";
    case "HeredocValue":
      return "a text";
    case "NullValue":
      return "null";
    case "StringValue":
    case "NumberValue":
    case "DateValue":
    case "UuidValue":
    case "WordValue":
    case "BoolValue":
    case "PlaceholderValue":
    case "ConstructorValue":
    case "BinaryValue":
    case "UnaryValue":
    case "DurationValue":
    case "SliceValue":
    case "MemberValue":
    case "RelatedValue":
    case "Bad":
      return written.length <= 40 && !written.includes("\n") ? written : `${written.slice(0, 39)}…`;
  }
}
