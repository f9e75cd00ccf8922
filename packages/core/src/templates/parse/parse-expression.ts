import {
  type BinaryOperator,
  type TemplateExpression,
  INTEGER_LIMIT,
  type LiteralValue,
  type LoopPart,
  type NewExpression,
} from "../tree.ts";
import { describeToken, type TagReader, type TagToken } from "./tag-reader.ts";
import { nearestName } from "../../diagnostics/nearest-name.ts";
import {
  type FilterName,
  filterNames,
  filterSignatures,
  isFilterName,
  isWireTimeFormat,
  WIRE_TIME_FORMATS,
} from "../filter-signatures.ts";
import { isReserved } from "./read-tag.ts";

type Parse = (tag: TagReader) => TemplateExpression;

const COMPARISONS: readonly BinaryOperator[] = ["==", "!=", "<=", ">=", "<", ">"];

/** An expression: `a if b else c` binds loosest, then `or`, `and`, `not`, comparison, `+ -`, `~`, `* / // %`. */
export function parseExpression(tag: TagReader): TemplateExpression {
  const { start } = tag.peek();
  const chosen = parseUnconditional(tag);
  if (!tag.takeWord("if")) return chosen;
  const condition = parseUnconditional(tag);
  const otherwise = tag.takeWord("else") ? tag.expression() : null;
  const parts = [chosen, condition, ...(otherwise === null ? [] : [otherwise])];
  return tag.made({ kind: "choose", condition, chosen, otherwise }, start, parts);
}

/** An expression that is no inline `if`. */
export function parseUnconditional(tag: TagReader): TemplateExpression {
  return parseChain(tag, parseAnd, words("or"));
}

const parseProduct = (tag: TagReader) => parseChain(tag, parseFactor, signs("//", "*", "/", "%"));
const parseConcat = (tag: TagReader) => parseChain(tag, parseProduct, signs("~"));
const parseSum = (tag: TagReader) => parseChain(tag, parseConcat, signs("+", "-"));
const parseComparison = (tag: TagReader) => parseChain(tag, parseSum, takeComparison);
const parseAnd = (tag: TagReader) => parseChain(tag, parseNot, words("and"));

/** Operands with operators of one rank between them, grouped from the left. */
function parseChain(
  tag: TagReader,
  operand: Parse,
  takeOperator: (tag: TagReader) => BinaryOperator | null,
): TemplateExpression {
  const { start } = tag.peek();
  let left = operand(tag);
  for (;;) {
    const operator = takeOperator(tag);
    if (operator === null) return left;
    const right = operand(tag);
    left = tag.made({ kind: "binary", operator, left, right }, start, [left, right]);
  }
}

function signs(...operators: readonly BinaryOperator[]) {
  return (tag: TagReader) => operators.find((operator) => tag.takeSign(operator)) ?? null;
}

function words(...operators: readonly BinaryOperator[]) {
  return (tag: TagReader) => operators.find((operator) => tag.takeWord(operator)) ?? null;
}

function takeComparison(tag: TagReader): BinaryOperator | null {
  if (tag.isWord("not") && tag.isWord("in", 1)) {
    tag.take();
    tag.take();
    return "not in";
  }
  return words("in")(tag) ?? signs(...COMPARISONS)(tag);
}

function parseNot(tag: TagReader): TemplateExpression {
  const { start } = tag.peek();
  if (!tag.takeWord("not")) return parseComparison(tag);
  const of = tag.nested(() => parseNot(tag));
  return tag.made({ kind: "not", of }, start, [of]);
}

/** An operand; `**` after it is told here, where it would bind. */
function parseFactor(tag: TagReader): TemplateExpression {
  const factor = parseOperand(tag);
  if (tag.isSign("**")) tag.unexpected("+ - * / // % ~ between values; write x * x for a power");
  return factor;
}

/** A value with its sign, its members, and the filters and tests behind it. */
function parseOperand(tag: TagReader): TemplateExpression {
  const { start } = tag.peek();
  let operand = parseSigned(tag);
  for (;;) {
    if (tag.takeSign("|")) operand = parseFilter(tag, operand, start);
    else if (tag.takeWord("is")) operand = parseTest(tag, operand, start);
    else return operand;
  }
}

function parseSigned(tag: TagReader): TemplateExpression {
  const { start } = tag.peek();
  if (!tag.takeSign("-")) return parseMembers(tag);
  const of = tag.nested(() => parseSigned(tag));
  return tag.made({ kind: "negate", of }, start, [of]);
}

function parseMembers(tag: TagReader): TemplateExpression {
  const { start } = tag.peek();
  let value = parsePrimary(tag);
  for (;;) {
    if (tag.isSign("(")) {
      tag.fail(
        tag.peek(),
        "Found a call. Allowed: x.split(separator), and filters written x | name(arguments).",
      );
      return value;
    }
    if (tag.takeSign(".")) value = parseAttribute(tag, value, start);
    else if (tag.takeSign("[")) value = parseIndex(tag, value, start);
    else return value;
  }
}

function parseAttribute(tag: TagReader, of: TemplateExpression, start: number): TemplateExpression {
  const token = tag.peek();
  if (token.kind !== "word") {
    tag.unexpected('a name after the dot; write x[0] for an item and x["a b"] for other keys');
    return of;
  }
  tag.take();
  if (!tag.isSign("(")) {
    const shape: NewExpression = {
      kind: "attribute",
      of,
      key: token.text,
      keyAt: { start: token.start, end: token.end },
    };
    return tag.made(shape, start, [of]);
  }
  if (token.text === "split") return parseSplit(tag, of, start);
  tag.fail(
    token,
    `Found the method ${token.text}. Allowed: only x.split(separator); filters are written x | name.`,
  );
  return of;
}

function parseSplit(tag: TagReader, of: TemplateExpression, start: number): TemplateExpression {
  tag.take();
  if (tag.isSign(")")) tag.unexpected('one separator, as in x.split(",")');
  const separator = tag.expression();
  if (!tag.takeSign(")")) tag.unexpected("the closing ) after one separator");
  const shape: NewExpression = { kind: "filter", filter: "split", of, arguments: [separator] };
  return tag.made(shape, start, [of, separator]);
}

function parseIndex(tag: TagReader, of: TemplateExpression, start: number): TemplateExpression {
  const opening = tag.peek();
  const nothing = literal(tag, { ...opening, end: opening.start }, { kind: "null" });
  const index = tag.isSign(":") ? nothing : tag.expression();
  if (tag.takeSign(":")) {
    const to = tag.isSign("]") ? nothing : tag.expression();
    if (!tag.takeSign("]")) tag.unexpected("the closing ] behind from:to");
    const ends: NewExpression = { kind: "filter", filter: "slice", of, arguments: [index, to] };
    return tag.made(ends, start, [of, index, to]);
  }
  if (!tag.takeSign("]")) {
    tag.fail(tag.peek(), `Found ${describeToken(tag.peek())}. Allowed here: the closing ].`);
  }
  return tag.made({ kind: "index", of, index }, start, [of, index]);
}

/** The filter behind a `|`, with its arguments. */
function parseFilter(tag: TagReader, of: TemplateExpression, start: number): TemplateExpression {
  const name = tag.peek();
  if (name.kind !== "word" || !isFilterName(name.text)) {
    failFilter(tag, name);
    return of;
  }
  tag.take();
  const filter = name.text;
  const found = tag.isSign("(") ? parseArguments(tag) : [];
  const { usage, least, most } = filterSignatures[filter];
  if (found.length < least || found.length > most) {
    const count = `${found.length} argument${found.length === 1 ? "" : "s"}`;
    tag.fail(name, `Found filter ${filter} with ${count}. Allowed: ${usage}.`);
  }
  checkFormat(tag, filter, found);
  return tag.made({ kind: "filter", filter, of, arguments: found }, start, [of, ...found]);
}

function failFilter(tag: TagReader, name: TagToken): void {
  const allowed = filterNames.join(", ");
  if (name.kind !== "word") {
    tag.fail(name, `Found ${describeToken(name)}. Allowed after |: ${allowed}.`);
    return;
  }
  const nearest = nearestName(name.text, filterNames);
  const hint = nearest === null ? "" : ` (nearest: ${nearest})`;
  tag.fail(name, `There is no filter ${name.text}${hint}. Allowed: ${allowed}.`);
}

function parseArguments(tag: TagReader): readonly TemplateExpression[] {
  tag.take();
  const found: TemplateExpression[] = [];
  while (!tag.isSign(")")) {
    found.push(tag.expression());
    if (tag.isSign("=")) tag.unexpected("arguments without names, in their order");
    if (!tag.takeSign(",")) break;
  }
  if (!tag.takeSign(")")) tag.unexpected("a comma, or the closing )");
  return found;
}

function checkFormat(
  tag: TagReader,
  filter: FilterName,
  found: readonly TemplateExpression[],
): void {
  const [format] = found;
  if (filter !== "wire_time" || format?.kind !== "literal") return;
  const { value } = format;
  if (value.kind === "text" && isWireTimeFormat(value.value)) return;
  const allowed = WIRE_TIME_FORMATS.map((each) => `"${each}"`).join(", ");
  tag.fail(format, `This is no format of wire_time. Allowed: ${allowed}.`);
}

/** The test behind an `is`. */
function parseTest(tag: TagReader, of: TemplateExpression, start: number): TemplateExpression {
  const negated = tag.takeWord("not");
  const { kind, text } = tag.peek();
  if (kind !== "word" || (text !== "defined" && text !== "none")) {
    tag.unexpected("is defined, is not defined, is none, is not none");
    return of;
  }
  tag.take();
  return tag.made({ kind: "test", of, test: text, negated }, start, [of]);
}

const CONSTANTS: ReadonlyMap<string, LiteralValue> = new Map<string, LiteralValue>([
  ["none", { kind: "null" }],
  ["None", { kind: "null" }],
  ["true", { kind: "boolean", value: true }],
  ["True", { kind: "boolean", value: true }],
  ["false", { kind: "boolean", value: false }],
  ["False", { kind: "boolean", value: false }],
]);

const LOOP_PARTS: readonly LoopPart[] = [
  "index",
  "index0",
  "revindex",
  "revindex0",
  "first",
  "last",
  "length",
  "previtem",
  "nextitem",
];

/** A literal, a name, a list, or an expression in parentheses. */
function parsePrimary(tag: TagReader): TemplateExpression {
  const token = tag.peek();
  switch (token.kind) {
    case "text":
      tag.take();
      return literal(tag, token, { kind: "text", value: token.text });
    case "integer":
    case "float":
      tag.take();
      return parseNumber(tag, token);
    case "word":
      return parseWord(tag, token);
    case "sign":
      if (token.text === "[") return parseList(tag);
      if (token.text === "(") return parseGroup(tag);
      if (token.text === "{") {
        tag.fail(token, "Found a map. Allowed: texts, numbers, lists in [ ], and names.");
      }
      break;
    case "end":
      break;
  }
  tag.unexpected("a value: a name, a text, a number, true, false, none, a list, or ( )");
  return literal(tag, token, { kind: "null" });
}

function literal(
  tag: TagReader,
  { start, end }: TagToken,
  value: LiteralValue,
): TemplateExpression {
  return tag.made({ kind: "literal", value }, start, [], end);
}

function parseNumber(tag: TagReader, token: TagToken): TemplateExpression {
  if (token.kind === "integer" && token.text.length <= 40) {
    const value = BigInt(token.text);
    if (value < INTEGER_LIMIT) return literal(tag, token, { kind: "integer", value });
  }
  const value = Number(token.text);
  if (token.kind === "integer" || !Number.isFinite(value)) {
    tag.fail(
      token,
      `The number is too large. Allowed: whole numbers below 2^127, others below 1.8e308.`,
    );
  }
  return literal(tag, token, { kind: "float", value });
}

function parseWord(tag: TagReader, token: TagToken): TemplateExpression {
  const constant = CONSTANTS.get(token.text);
  if (constant !== undefined) {
    tag.take();
    return literal(tag, token, constant);
  }
  if (isReserved(token.text)) {
    tag.unexpected("a value, not this word of the template language");
    return literal(tag, token, { kind: "null" });
  }
  tag.take();
  if (token.text === "loop" && tag.loops > 0) return parseLoopPart(tag, token);
  return tag.made({ kind: "name", name: token.text }, token.start, [], token.end);
}

function parseLoopPart(tag: TagReader, loop: TagToken): TemplateExpression {
  const word = tag.peek(1);
  const part = LOOP_PARTS.find((each) => each === word.text);
  if (!tag.isSign(".") || word.kind !== "word" || part === undefined) {
    const allowed = LOOP_PARTS.map((each) => `loop.${each}`).join(", ");
    const found = tag.isSign(".") && word.kind === "word" ? `loop.${word.text}` : "loop alone";
    const at = { start: loop.start, end: word.kind === "word" ? word.end : loop.end };
    tag.fail(at, `Found ${found}. Allowed: ${allowed}.`);
    return literal(tag, loop, { kind: "null" });
  }
  tag.take();
  tag.take();
  return tag.made({ kind: "loop", part }, loop.start, []);
}

function parseList(tag: TagReader): TemplateExpression {
  const { start } = tag.take();
  const items: TemplateExpression[] = [];
  while (!tag.isSign("]")) {
    items.push(tag.expression());
    if (!tag.takeSign(",")) break;
  }
  if (!tag.takeSign("]")) tag.unexpected("a comma, or the closing ]");
  return tag.made({ kind: "list", items }, start, items);
}

function parseGroup(tag: TagReader): TemplateExpression {
  tag.take();
  const inner = tag.expression();
  if (tag.isSign(",")) tag.unexpected("the closing ); lists are written in [ ]");
  else if (!tag.takeSign(")")) tag.unexpected("an operator, a filter with |, or the closing )");
  return inner;
}
