import type { BinaryOperator, Expression } from "../tree.ts";
import { parseOperand } from "./parse-operand.ts";
import type { TagReader } from "./tag-reader.ts";

type Parse = (tag: TagReader) => Expression;

const COMPARISONS: readonly BinaryOperator[] = ["==", "!=", "<=", ">=", "<", ">"];

/** An expression: `a if b else c` binds loosest, then `or`, `and`, `not`, comparison, `+ -`, `~`, `* / // %`. */
export function parseExpression(tag: TagReader): Expression {
  const { start } = tag.peek();
  const chosen = parseUnconditional(tag);
  if (!tag.takeWord("if")) return chosen;
  const condition = parseUnconditional(tag);
  const otherwise = tag.takeWord("else") ? tag.expression() : null;
  const parts = [chosen, condition, ...(otherwise === null ? [] : [otherwise])];
  return tag.made({ kind: "choose", condition, chosen, otherwise }, start, parts);
}

/** An expression that is no inline `if`. */
export function parseUnconditional(tag: TagReader): Expression {
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
): Expression {
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

function parseNot(tag: TagReader): Expression {
  const { start } = tag.peek();
  if (!tag.takeWord("not")) return parseComparison(tag);
  const of = tag.nested(() => parseNot(tag));
  return tag.made({ kind: "not", of }, start, [of]);
}

/** An operand; `**` after it is told here, where it would bind. */
function parseFactor(tag: TagReader): Expression {
  const factor = parseOperand(tag);
  if (tag.isSign("**")) tag.unexpected("+ - * / // % ~ between values; write x * x for a power");
  return factor;
}
