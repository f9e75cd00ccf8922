import type {
  Arg,
  BinaryOperator,
  BinaryValue,
  ListValue,
  And,
  Name,
  ObjectEntry,
  ObjectValue,
  Path,
  Pred,
  SliceValue,
  UnaryValue,
  Value,
} from "./ast-values.ts";
import { LEVELS } from "./operators-ahead.ts";
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
    case "BinaryValue":
    case "UnaryValue":
      return printOperator(value);
    case "DurationValue":
      return value.raw;
    case "SliceValue":
      return printOperand(value.operand, LEVELS.product + 1) + printSlice(value);
    case "MemberValue":
      return printOperand(value.operand, LEVELS.product + 1) + printMembers(value.segments);
    case "RelatedValue":
      return value.relation.raw + printBraces(value.pred) + printMembers(value.column);
    case "Bad":
      throw new Error("a tree that is in error has no text");
  }
}

const LEVEL_OF: Readonly<Record<BinaryOperator, number>> = {
  or: LEVELS.or,
  and: LEVELS.and,
  "=": LEVELS.comparison,
  "!=": LEVELS.comparison,
  "<": LEVELS.comparison,
  "<=": LEVELS.comparison,
  ">": LEVELS.comparison,
  ">=": LEVELS.comparison,
  "~": LEVELS.comparison,
  in: LEVELS.comparison,
  "+": LEVELS.sum,
  "-": LEVELS.sum,
  "*": LEVELS.product,
  "/": LEVELS.product,
  "%": LEVELS.product,
};

function printOperator(value: BinaryValue | UnaryValue): string {
  if (value.kind === "UnaryValue") {
    if (value.op === "not") return `not ${printOperand(value.operand, LEVELS.not)}`;
    return `-${printOperand(value.operand, LEVELS.product + 1)}`;
  }
  const level = LEVEL_OF[value.op];
  const left = printOperand(value.left, level);
  return `${left} ${value.op} ${printOperand(value.right, level + 1)}`;
}

/** An operand, in parentheses where it binds looser than its place. */
function printOperand(value: Value, level: number): string {
  const text = printValue(value);
  if (value.kind === "BinaryValue") return LEVEL_OF[value.op] < level ? `(${text})` : text;
  const binds = value.kind !== "UnaryValue" || (value.op === "not" && level <= LEVELS.not);
  const isSigned = value.kind === "NumberValue" && value.raw.startsWith("-");
  return binds && !(isSigned && level > LEVELS.product) ? text : `(${text})`;
}

function printSlice({ from, to, single }: SliceValue): string {
  return single ? `[${from ?? 0}]` : `[${from ?? ""}:${to ?? ""}]`;
}

function printMembers(segments: readonly Name[]): string {
  return segments.map((segment) => `.${printSegment(segment)}`).join("");
}

function printSegment({ text, quoted }: Name): string {
  return quoted === true ? quoteText(text) : text;
}

/** `(a=1, b)` */
export function printArgs(args: readonly Arg[]): string {
  return `(${joinItems(args.map(printArg))})`;
}

function printArg(arg: Arg): string {
  const value = printValue(arg.value);
  return arg.name === undefined ? value : `${arg.name.text}=${value}`;
}

function printList(list: ListValue): string {
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
  return path.segments.map(printSegment).join(".");
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

/** Conditions with their braces (LANG-015). */
export function printBraces(and: And): string {
  return printItems(and.items);
}

function printItems(items: readonly Pred[]): string {
  return `{${joinItems(items.map(printPred))}}`;
}

function printPred(pred: Pred): string {
  switch (pred.kind) {
    case "And":
      return `all${printItems(pred.items)}`;
    case "Or":
      return `any${printItems(pred.items)}`;
    case "Not":
      return `not${printItems(pred.pred.items)}`;
    case "Exists":
      return `exists(${printPath(pred.path)})`;
    case "Compare":
      return `${printPath(pred.path)}${pred.op}${gap(pred)}${printValue(pred.value)}`;
    case "In":
      return `${printPath(pred.path)} in ${printInSide(pred)}`;
    case "Test":
      return printValue(pred.value);
    case "Bad":
      return printValue(pred);
  }
}

/** `<` and `<<` keep apart. */
function gap(pred: Extract<Pred, { kind: "Compare" }>): string {
  return pred.op === "<" && pred.value.kind === "HeredocValue" ? " " : "";
}

function printInSide(pred: Extract<Pred, { kind: "In" }>): string {
  if (pred.list !== undefined) return printList(pred.list);
  if (pred.word === undefined) throw new Error("an In has a list or a word");
  return printValue(pred.word);
}
