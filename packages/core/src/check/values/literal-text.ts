import type { Value } from "../../language/ast-values.ts";

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
    case "Bad":
      return written.length <= 40 && !written.includes("\n") ? written : `${written.slice(0, 39)}…`;
  }
}
