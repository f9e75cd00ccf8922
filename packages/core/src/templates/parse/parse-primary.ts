import { INTEGER_LIMIT } from "../integer-limit.ts";
import type { Expression, LiteralValue, LoopPart } from "../tree.ts";
import { isReserved } from "./reserved-words.ts";
import type { TagReader } from "./tag-reader.ts";
import type { Token } from "./token.ts";

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
export function parsePrimary(tag: TagReader): Expression {
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

function literal(tag: TagReader, { start, end }: Token, value: LiteralValue): Expression {
  return tag.made({ kind: "literal", value }, start, [], end);
}

function parseNumber(tag: TagReader, token: Token): Expression {
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

function parseWord(tag: TagReader, token: Token): Expression {
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

function parseLoopPart(tag: TagReader, loop: Token): Expression {
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

function parseList(tag: TagReader): Expression {
  const { start } = tag.take();
  const items: Expression[] = [];
  while (!tag.isSign("]")) {
    items.push(tag.expression());
    if (!tag.takeSign(",")) break;
  }
  if (!tag.takeSign("]")) tag.unexpected("a comma, or the closing ]");
  return tag.made({ kind: "list", items }, start, items);
}

function parseGroup(tag: TagReader): Expression {
  tag.take();
  const inner = tag.expression();
  if (tag.isSign(",")) tag.unexpected("the closing ); lists are written in [ ]");
  else if (!tag.takeSign(")")) tag.unexpected("an operator, a filter with |, or the closing )");
  return inner;
}
