import type { Arg, ListValue, Name, ObjectEntry, ObjectValue, Path, Value } from "./ast-values.ts";
import { quoteText } from "./strings.ts";

/** A value as canonical text (LANG-015). */
export function printValue(value: Value): string {
  switch (value.kind) {
    case "StringValue":
      return quoteText(value.text);
    case "HeredocValue":
      return printHeredoc(value.tag, value.text);
    case "NumberValue":
    case "DateValue":
    case "UuidValue":
    case "WordValue":
    case "PlaceholderValue":
      return value.raw;
    case "BoolValue":
      return String(value.value);
    case "NullValue":
      return "null";
    case "ConstructorValue":
      return value.name.text + printArgs(value.args);
    case "ListValue":
      return printList(value);
    case "ObjectValue":
      return printObject(value);
    case "Bad":
      throw new Error("a tree that is in error has no text");
  }
}

/** `(a=1, b)` */
export function printArgs(args: readonly Arg[]): string {
  return `(${joinItems(args.map(printArg))})`;
}

function printArg(arg: Arg): string {
  const value = printValue(arg.value);
  return arg.name === undefined ? value : `${arg.name.text}=${value}`;
}

export function printList(list: ListValue): string {
  return `[${joinItems(list.items.map(printValue))}]`;
}

export function printObject(object: ObjectValue): string {
  return `{${joinItems(object.entries.map(printEntry))}}`;
}

function printEntry(entry: ObjectEntry): string {
  return `${printKey(entry.key)}: ${printValue(entry.value)}`;
}

function printKey(key: ObjectEntry["key"]): string {
  return key.kind === "Name" ? key.text : quoteText(key.text);
}

export function printPath(path: Path): string {
  return path.segments.map((segment: Name) => segment.text).join(".");
}

/**
 * A heredoc from `<<TAG` to the closing TAG, kept as it is (LANG-008). A body that ends in a CR gets a
 * CRLF before the closer, as that line end alone is not part of it.
 */
export function printHeredoc(tag: string, body: string): string {
  const lastEnd = body.endsWith("\r") ? "\r\n" : "\n";
  return body === "" ? `<<${tag}\n${tag}` : `<<${tag}\n${body}${lastEnd}${tag}`;
}

const ENDS_IN_HEREDOC = /\n[A-Za-z_][A-Za-z0-9_]*$/;

/** Items with commas; behind the tag of a heredoc nothing but the comma may stand on its line. */
export function joinItems(items: readonly string[]): string {
  return items
    .map((item, at) => {
      if (at === items.length - 1) return item;
      return ENDS_IN_HEREDOC.test(item) ? `${item},\n` : `${item}, `;
    })
    .join("");
}
