import type { Expression, NewExpression } from "../tree.ts";
import { parseFilter, parseTest } from "./parse-filter.ts";
import { parsePrimary } from "./parse-primary.ts";
import type { TagReader } from "./tag-reader.ts";
import { describeToken } from "./token.ts";

/** A value with its sign, its members, and the filters and tests behind it. */
export function parseOperand(tag: TagReader): Expression {
  const { start } = tag.peek();
  let operand = parseSigned(tag);
  for (;;) {
    if (tag.takeSign("|")) operand = parseFilter(tag, operand, start);
    else if (tag.takeWord("is")) operand = parseTest(tag, operand, start);
    else return operand;
  }
}

function parseSigned(tag: TagReader): Expression {
  const { start } = tag.peek();
  if (!tag.takeSign("-")) return parseMembers(tag);
  const of = tag.nested(() => parseSigned(tag));
  return tag.made({ kind: "negate", of }, start, [of]);
}

function parseMembers(tag: TagReader): Expression {
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

function parseAttribute(tag: TagReader, of: Expression, start: number): Expression {
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

function parseSplit(tag: TagReader, of: Expression, start: number): Expression {
  tag.take();
  if (tag.isSign(")")) tag.unexpected('one separator, as in x.split(",")');
  const separator = tag.expression();
  if (!tag.takeSign(")")) tag.unexpected("the closing ) after one separator");
  const shape: NewExpression = { kind: "filter", filter: "split", of, arguments: [separator] };
  return tag.made(shape, start, [of, separator]);
}

function parseIndex(tag: TagReader, of: Expression, start: number): Expression {
  const slice = (): boolean => {
    if (!tag.isSign(":")) return false;
    tag.fail(tag.peek(), `Found a slice. Allowed in [ ]: one number or key.`);
    return true;
  };
  if (slice()) return of;
  const index = tag.expression();
  if (slice()) return of;
  if (!tag.takeSign("]")) {
    tag.fail(tag.peek(), `Found ${describeToken(tag.peek())}. Allowed here: the closing ].`);
  }
  return tag.made({ kind: "index", of, index }, start, [of, index]);
}
