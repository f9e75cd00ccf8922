import type { Arg, ListValue, ObjectValue, Value } from "./ast-values.ts";
import { failBetween } from "./between.ts";
import { bracketed } from "./brackets.ts";
import { strangeQuotedEnd } from "./characters.ts";
import type { Expectation } from "./failures.ts";
import { failHere, failHeredoc, failUnclosedStep } from "./failures.ts";
import { failInsideValue } from "./inside-value.ts";
import { parseArgName } from "./parse-arg-name.ts";
import { takeName } from "./parse-names.ts";
import { parseKey } from "./parse-key.ts";
import { reportStrangeText, takeRun } from "./parse-run.ts";
import type { Place } from "./pairs.ts";
import type { ParserState } from "./parser-state.ts";
import { stretchEnd } from "./stretch.ts";
import { takeDollar, takeString } from "./take-string.ts";
import type { RunToken, Token } from "./token.ts";
import { isName } from "./value-run.ts";

const A_VALUE: Expectation = {
  what: "a value: text in quotes, a number, a date, true, false, null, a word, Name(…), [..] or {..}",
  example: '"text", 12, 2026-01-31 or [a, b]',
};
const AFTER_ARG: Expectation = { what: ", or )", example: "(p=v, p=v)" };
const AFTER_ITEM: Expectation = { what: ", or ]", example: "[a, b]" };
const AFTER_ENTRY: Expectation = { what: ", or }", example: "{a: 1, b: 2}" };

/** Reads the value that begins at the next token (LANG section 2, `value`). */
export function parseValue(p: ParserState, place: Place): Value {
  const token = p.peek("value");
  switch (token.type) {
    case "string":
      return takeString(p, token);
    case "heredoc":
      p.take(token);
      return {
        kind: "HeredocValue",
        tag: token.tag,
        text: token.body,
        span: p.span(token.start, token.end),
      };
    case "bad-heredoc":
      failHeredoc(p, token);
      break;
    case "dollar":
      return takeDollar(p, token);
    case "run":
      return parseRun(p, token, place);
    case "strange":
      return reportStrangeText(p, token.start, token.start, strangeEnd(p, token));
    case "sign":
      if (token.text === "[") return parseList(p);
      if (token.text === "{") return parseObject(p);
      failHere(p, A_VALUE);
      break;
    default:
      failHere(p, A_VALUE);
  }
  return { kind: "Bad", span: p.span(token.start, token.end) };
}

/** Reads `(arg, …)`, the bracket being next. */
export function parseArgs(p: ParserState): readonly Arg[] {
  let start = p.pos;
  return bracketed(
    p,
    "(",
    () => {
      start = p.skip(p.pos, true);
      const name = parseArgName(p);
      const value = parseValue(p, "args");
      const span = p.spanFrom(start);
      return name === null ? { kind: "Arg", value, span } : { kind: "Arg", name, value, span };
    },
    () => failBetween(p, "args", start, AFTER_ARG),
  );
}

/** Reads `[value, …]`, the bracket being next. */
export function parseList(p: ParserState): ListValue {
  const { start } = p.peek("value");
  let item = start;
  const items = bracketed(
    p,
    "[",
    () => {
      item = p.skip(p.pos, true);
      return parseValue(p, "list");
    },
    () => failBetween(p, "list", item, AFTER_ITEM),
  );
  return { kind: "ListValue", items, span: p.spanFrom(start) };
}

/** Reads `{key: value, …}`, the bracket being next. */
export function parseObject(p: ParserState): ObjectValue {
  const { start } = p.peek("value");
  let entry = start;
  const entries = bracketed(
    p,
    "{",
    () => {
      entry = p.skip(p.pos, true);
      const key = parseKey(p);
      const value = parseValue(p, "object");
      return { key, value, span: p.spanFrom(entry) };
    },
    () => failBetween(p, "object", entry, AFTER_ENTRY),
  );
  return { kind: "ObjectValue", entries, span: p.spanFrom(start) };
}

function parseRun(p: ParserState, token: RunToken, place: Place): Value {
  const next = p.skip(token.end, p.open.length > 0);
  if (token.raw.includes(".")) failUnclosedStep(p, token.end);
  if (p.dead) return { kind: "Bad", span: p.span(token.start, token.end) };
  if (p.text[next] === "(" && isName(token.raw)) return parseConstructor(p, token);
  if (token.kind === "word" && beginsQuery(p, next)) {
    failInsideValue(p, token.start, next, false);
    return { kind: "Bad", span: p.span(token.start, token.end) };
  }
  return takeRun(p, token, place);
}

function parseConstructor(p: ParserState, token: RunToken): Value {
  const name = takeName(p, token);
  const args = parseArgs(p);
  const next = p.peek("name");
  if (next.type === "sign" && /^(?:\.|\[|\{|~|=>)$/.test(next.text)) {
    failInsideValue(p, token.start, next.start, true);
  }
  return { kind: "ConstructorValue", name, args, span: p.spanFrom(token.start) };
}

/** Whether what follows a word makes it a query or a step (LANG-007). */
function beginsQuery(p: ParserState, next: number): boolean {
  return p.open.length > 0 && (/^[{[(~]/.test(p.text[next] ?? "") || startsStep(p.text, next));
}

function startsStep(text: string, at: number): boolean {
  return text.startsWith("=>", at) || /^\.[ \t]*[A-Za-z_]/.test(text.slice(at, at + 20));
}

function strangeEnd(p: ParserState, token: Token): number {
  const quoted = strangeQuotedEnd(p.text, token.start);
  return quoted ?? Math.max(stretchEnd(p.text, token.start), token.end);
}
