import { expressionMessages } from "../../diagnostics/expression-messages.ts";
import { diagnose } from "../../diagnostics/messages.ts";
import type { BinaryValue, Value } from "../../language/grammar/ast-values.ts";
import { quoteText } from "../../language/grammar/strings.ts";
import { isRelativeDate, isWithinReach } from "../../values/relative-date.ts";
import { elementType } from "../../values/value-type.ts";
import type { CheckContext } from "../check-context.ts";
import type { ColumnType } from "../types.ts";
import type { TypedValue } from "../typed-program.ts";
import {
  apply,
  type Expression,
  faulty,
  inDays,
  JSON_TYPE,
  plain,
  shownPart,
} from "./expression-parts.ts";
import { KIND_NAMES, type Kind } from "./function-table.ts";
import type { ReadValue } from "./list-value.ts";
import { literalText } from "./value-reading.ts";

const NUMBER = plain({ kind: "number" });
const TEXT = plain({ kind: "string", semantics: "short" });
const TRUTH = plain({ kind: "boolean" });

type Pair = `${Kind} ${Kind}`;

/** What an arithmetic operator makes of two kinds: the operation of plans, and the kind of the result. */
type Rule = readonly [operation: string, gives: Kind, swapped?: true];

/** Kinds that `+` puts into text. */
const WRITABLE: ReadonlySet<Kind> = new Set([
  "text",
  "number",
  "boolean",
  "date",
  "reference",
  "json",
  "null",
]);

const RULES: Readonly<Record<"+" | "-" | "*" | "/" | "%", Partial<Record<Pair, Rule>>>> = {
  "+": {
    "number number": ["add", "number"],
    "duration duration": ["add", "duration"],
    "date duration": ["later", "date"],
    "duration date": ["later", "date", true],
    "json duration": ["later", "date"],
    "months months": ["add", "months"],
    "date months": ["later_months", "date"],
    "months date": ["later_months", "date", true],
    "json months": ["later_months", "date"],
    "list list": ["list_add", "list"],
    "json number": ["add", "number"],
    "number json": ["add", "number"],
    "list json": ["list_add", "list"],
    "json list": ["list_add", "list"],
  },
  "-": {
    "number number": ["subtract", "number"],
    "duration duration": ["subtract", "duration"],
    "date duration": ["earlier", "date"],
    "json duration": ["earlier", "date"],
    "months months": ["subtract", "months"],
    "date months": ["earlier_months", "date"],
    "json months": ["earlier_months", "date"],
    "date date": ["seconds", "duration"],
    "date json": ["seconds", "duration"],
    "json date": ["seconds", "duration"],
    "list list": ["list_remove", "list"],
    "list json": ["list_remove", "list"],
    "json list": ["list_remove", "list"],
    "json number": ["subtract", "number"],
    "number json": ["subtract", "number"],
  },
  "*": {
    "number number": ["multiply", "number"],
    "duration number": ["multiply", "duration"],
    "number duration": ["multiply", "duration"],
    "months number": ["multiply", "months"],
    "number months": ["multiply", "months"],
    "json number": ["multiply", "number"],
    "number json": ["multiply", "number"],
    "json json": ["multiply", "number"],
  },
  "/": {
    "number number": ["divide", "number"],
    "duration number": ["divide", "duration"],
    "duration duration": ["divide", "number"],
    "json number": ["divide", "number"],
    "number json": ["divide", "number"],
    "json json": ["divide", "number"],
  },
  "%": {
    "number number": ["remainder", "number"],
    "json number": ["remainder", "number"],
    "number json": ["remainder", "number"],
    "json json": ["remainder", "number"],
  },
};

/** Reads `a + b` and its like by what both sides are (LANG-048). */
export function combine(
  context: CheckContext,
  at: BinaryValue,
  left: Expression,
  right: Expression,
): Expression {
  const broken = [...left.problems, ...right.problems];
  if (left.value.kind === "placeholder" || right.value.kind === "placeholder")
    return faulty(...broken);
  const op = at.op as keyof typeof RULES;
  const hasText = left.kind === "text" || right.kind === "text";
  if (op === "+" && hasText && WRITABLE.has(left.kind) && WRITABLE.has(right.kind)) {
    return apply(at, "concat", flattened(left, right), TEXT);
  }
  const known = (kind: Kind): Kind => (kind === "null" ? "json" : kind);
  const rule = RULES[op][`${known(left.kind)} ${known(right.kind)}`];
  if (rule === undefined) {
    const isLength = (left.kind === "duration") !== (right.kind === "duration");
    const isNumber = left.kind === "number" || right.kind === "number";
    if (isLength && isNumber)
      return combine(context, at, inDays(at.left, left), inDays(at.right, right));
    return faulty(...broken, mismatch(context, at, left, right));
  }
  const [operation, gives, swapped] = rule;
  const moved = movedMoment(at, left);
  if (moved !== null) return { ...left, value: moved };
  const type = resultType(gives, operation, left, right);
  const args = swapped === true ? [right, left] : [left, right];
  return { ...apply(at, operation, args, type), kind: gives };
}

/** `today + 2d` is the relative date `today+2d`: one form, one plan (LANG-043). */
function movedMoment({ op, right }: BinaryValue, { value }: Expression): TypedValue | null {
  if (value.kind !== "now" || right.kind !== "DurationValue") return null;
  const text = `${value.text}${op}${right.raw}`;
  return isRelativeDate(text) && isWithinReach(text) ? { kind: "now", text } : null;
}

/** One join of many texts, whatever the parentheses: `a + b + c`. */
function flattened(left: Expression, right: Expression): readonly Expression[] {
  const { value } = left;
  if (value.kind !== "computed" || value.operation !== "concat") return [left, right];
  const parts = value.args.map((each): Expression => ({ ...left, value: each, problems: [] }));
  return [...parts, { ...right, problems: [...left.problems, ...right.problems] }];
}

function resultType(
  gives: Kind,
  operation: string,
  left: Expression,
  right: Expression,
): ColumnType {
  if (gives === "list") return left.kind === "list" ? left.type : right.type;
  if (gives === "date") {
    const from = [left, right].find(({ kind }) => kind === "date")?.type.type;
    const format =
      from?.kind === "date" && from.format === "iso8601_date" ? "iso8601_date" : "rfc3339";
    return plain({ kind: "date", format });
  }
  const isWhole =
    operation !== "divide" &&
    left.type.type.kind === "integer" &&
    right.type.type.kind === "integer" &&
    gives === "number";
  return isWhole ? plain({ kind: "integer" }) : NUMBER;
}

function mismatch(context: CheckContext, at: BinaryValue, left: Expression, right: Expression) {
  const args = {
    op: at.op,
    left: KIND_NAMES[left.kind],
    right: KIND_NAMES[right.kind],
    fix: advice(context, at, left, right),
  };
  return diagnose(expressionMessages.operands, at.span, args);
}

function advice(
  context: CheckContext,
  at: BinaryValue,
  left: Expression,
  right: Expression,
): string {
  const [a, b] = [shownPart(context, at.left), shownPart(context, at.right)];
  const kinds = [left.kind, right.kind];
  if (at.op === "+" && at.right.kind === "ObjectValue") {
    return `for each member that changes write set(${a}, "key", value)`;
  }
  if (left.kind === "json" && right.kind === "json") {
    return `say what they are: number(${a}) ${at.op} number(${b}), or text(${a}) + text(${b})`;
  }
  if (kinds.includes("months"))
    return "move a date by months, as in today - 3mo; or count days, as in 90d";
  if (kinds.includes("date") && kinds.includes("number"))
    return `write a length of time, like ${a} ${at.op} 2d`;
  if (kinds.includes("date") && kinds.includes("text")) {
    const [word, asDate] =
      left.kind === "date" ? [a, `${a} ${at.op} date(${b})`] : [b, `date(${a}) ${at.op} ${b}`];
    return `to compare dates write ${asDate}; the word is ${quoteText(word)}`;
  }
  if (left.kind === "list") return `write a list, like ${a} ${at.op} [${b}]`;
  if (kinds.includes("text")) {
    const asNumber = (kind: Kind, text: string): string =>
      kind === "text" ? `number(${text})` : text;
    return `text that holds a number is read by ${asNumber(left.kind, a)} ${at.op} ${asNumber(right.kind, b)}`;
  }
  return `compare or convert them first; ${at.op} computes with numbers`;
}

const OPERATORS_OF: Readonly<Record<Kind, readonly string[]>> = {
  number: ["=", "!=", "<", "<=", ">", ">=", "in"],
  duration: ["=", "!=", "<", "<=", ">", ">="],
  months: [],
  date: ["=", "!=", "<", "<=", ">", ">=", "in"],
  text: ["=", "!=", "<", "<=", ">", ">=", "in", "~"],
  boolean: ["=", "!=", "in"],
  reference: ["=", "!=", "in"],
  list: ["=", "!=", "in", "~"],
  json: ["=", "!=", "<", "<=", ">", ">=", "in", "~"],
  null: ["=", "!=", "in"],
};

const WORD_OF: Readonly<Record<Kind, string>> = {
  number: "num",
  duration: "num",
  months: "num",
  date: "date",
  text: "str",
  boolean: "bool",
  reference: "str",
  list: "list",
  json: "json",
  null: "json",
};

/** Reads a comparison: what is a literal is read by the type of the other side, as in conditions (LANG-050). */
export function compareKinds(
  context: CheckContext,
  at: BinaryValue,
  left: Expression,
  right: Expression,
  read: ReadValue,
): Expression {
  if (left.value.kind === "placeholder" || right.value.kind === "placeholder") {
    return faulty(...left.problems, ...right.problems);
  }
  if (at.op === "in") return membership(context, at, left, right);
  if (isTextOrder(at, left, right)) return faulty(mismatch(context, at, left, right));
  const [a, b] = [
    fitted(context, at.left, left, right, read),
    fitted(context, at.right, right, left, read),
  ];
  const broken = [...a.problems, ...b.problems];
  if (broken.length > 0) return faulty(...broken);
  const kind = common(a.kind, b.kind);
  if (kind === null || !OPERATORS_OF[kind].includes(at.op)) {
    return faulty(mismatch(context, at, a, b));
  }
  const isMixed = (a.kind === "duration") !== (b.kind === "duration");
  const [x, y] = isMixed ? [inDays(at, a), inDays(at, b)] : [a, b];
  const args = kind === "reference" ? [keyOf(at, x), keyOf(at, y)] : [x, y];
  return apply(at, at.op, args, TRUTH, WORD_OF[kind]);
}

/** Text in an order with a number as it is written: numbers are meant, and characters are in another order. */
function isTextOrder({ op, left, right }: BinaryValue, a: Expression, b: Expression): boolean {
  const isNumber = (value: Value, other: Expression): boolean =>
    value.kind === "NumberValue" && other.kind === "text" && other.word === undefined;
  return /^[<>]/.test(op) && (isNumber(left, b) || isNumber(right, a));
}

function keyOf(at: Value, expression: Expression): Expression {
  return expression.kind === "reference" ? apply(at, "text", [expression], TEXT) : expression;
}

/** What two kinds are compared as; null if they never can be. */
function common(a: Kind, b: Kind): Kind | null {
  if (a === b) return a;
  if (a === "null") return b;
  if (b === "null") return a;
  if (a === "json" || b === "json") return "json";
  const both = new Set([a, b]);
  if (both.has("duration") && both.has("number")) return "number";
  return both.has("reference") && both.has("text") ? "reference" : null;
}

/** A literal side as the type of the other takes it: an option, a date, a word of text. */
function fitted(
  context: CheckContext,
  at: Value,
  own: Expression,
  other: Expression,
  read: ReadValue,
): Expression {
  const isLiteral = own.word !== undefined || literalText(at) !== null;
  const isPlain = own.value.kind === "lit" || own.value.kind === "now";
  const takes =
    other.word === undefined &&
    other.kind !== "json" &&
    other.kind !== "null" &&
    other.kind !== "list";
  const isLength = [own, other].some(({ kind }) => kind === "duration" || kind === "months");
  if (!isLiteral || !isPlain || !takes || isLength) return own;
  // A relative date is no word that text could be equal to.
  if (own.value.kind === "now" && other.kind === "text") return own;
  const type = other.kind === "reference" ? TEXT : other.kind === "number" ? NUMBER : other.type;
  const slot = { shown: "this side", type, nullable: true, use: "test" } as const;
  const reading = read(context, at, slot);
  if (reading.value === null) return { ...faulty(...reading.problems), kind: other.kind };
  const kind = other.kind === "reference" ? "text" : other.kind;
  return { value: reading.value, type, kind, problems: reading.problems };
}

function membership(
  context: CheckContext,
  at: BinaryValue,
  left: Expression,
  right: Expression,
): Expression {
  const broken = [...left.problems, ...right.problems];
  if (right.kind !== "list" && right.kind !== "json") {
    return faulty(...broken, mismatch(context, at, left, right));
  }
  const element = right.kind === "list" ? elementType(right.type.type) : JSON_TYPE.type;
  const isKnown = element.kind !== "json" && left.kind !== "list";
  const on = isKnown ? WORD_OF[left.kind] : "json";
  return apply(at, "in", [inDays(at, left), right], TRUTH, on);
}
