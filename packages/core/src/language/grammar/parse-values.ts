import type { Arg, ListValue, Name, ObjectValue, StringValue, Value } from "./ast-values.ts";
import { failBetween } from "../recovery/list.ts";
import { bracketed, type Place } from "../recovery/brackets.ts";
import { strangeQuotedEnd } from "./characters.ts";
import { type Expectation, failHere, failHeredoc, failUnclosedStep } from "../recovery/failures.ts";
import { failInsideValue } from "../recovery/inside-value.ts";
import { takeName } from "./parse-names.ts";
import { reportStrangeText, takeRun } from "./parse-run.ts";
import type { ParserState } from "./parser-state.ts";
import { stretchEnd } from "../recovery/extent.ts";
import { takeDollar, takeString } from "./take-string.ts";
import type { RunToken, Token } from "./lexer.ts";
import { isName } from "../recovery/value-run.ts";
import type { Edit } from "../../diagnostics/diagnostic.ts";
import { diagnose } from "../../diagnostics/messages.ts";
import { syntaxMessages } from "../../diagnostics/syntax-messages.ts";
import { clip } from "../../base/text.ts";
import { quoteText } from "./strings.ts";
import { matchAt } from "./limits.ts";
import { failConditionCall, failLambdaFilter } from "../recovery/condition-calls.ts";

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

const KEY_RUN = /[A-Za-z0-9_.@/+-]+/y;

/** Reads the key of an object and the colon behind it. */
function parseKey(p: ParserState): Name | StringValue {
  const token = p.peek("name");
  if (token.type === "name" || token.type === "string") {
    const key = token.type === "name" ? takeName(p, token) : takeString(p, token);
    if (!p.takeIf(":")) failWithoutColon(p, token.start);
    return key;
  }
  if (token.type === "digits") failHyphenKey(p, token.start);
  const quoted = token.type === "strange" ? strangeQuotedEnd(p.text, token.start) : null;
  if (quoted !== null && !p.dead) {
    const { span } = reportStrangeText(p, token.start, token.start, quoted);
    if (!p.takeIf(":")) failWithoutColon(p, token.start);
    return { kind: "Name", text: "", span };
  }
  failHere(p, { what: "a key", example: '{a: 1, "other key": 2}' });
  return { kind: "Name", text: "", span: p.span(token.start, token.start) };
}

function failWithoutColon(p: ParserState, start: number): void {
  const sign = p.peek("name");
  const raw = matchAt(KEY_RUN, p.text, start)?.[0] ?? "";
  if (sign.start === p.lastEnd && start + raw.length > p.lastEnd) return failHyphenKey(p, start);
  if (sign.type === "sign" && (sign.text === "=" || sign.text === "=>")) {
    const span = p.span(sign.start, sign.end);
    const gap = { start: p.lastEnd, end: p.skip(sign.end, true) };
    const edits = [{ span: gap, replacement: ": " }];
    const args = { form: `${p.text.slice(start, p.lastEnd)}: …` };
    return p.fail(diagnose(syntaxMessages.equalsNotColon, span, args, edits));
  }
  const key = p.text.slice(start, p.lastEnd);
  const alone = sign.type === "sign" && (sign.text === "," || sign.text === "}");
  if (alone && p.bodyRows !== null && isName(key)) return failShortKey(p, start, key);
  failHere(p, { what: "a colon and a value", example: "{a: 1, b: 2}" });
}

const SHORT_KEY = /([A-Za-z_]\w*)(?=\s*[,}])/y;

/** `=> {id, name}`: in a body a key alone means the column of that name; all of them are mended at once. */
function failShortKey(p: ParserState, start: number, key: string): void {
  const edits: Edit[] = [];
  for (let at = start; ;) {
    const short = matchAt(SHORT_KEY, p.text, at)?.[0];
    if (short !== undefined) {
      const span = { start: at, end: at + short.length };
      edits.push({ span, replacement: `${short}: _.${short}` });
    }
    const comma = p.skip(stretchEnd(p.text, at), true);
    if (p.text[comma] !== ",") break;
    at = p.skip(comma + 1, true);
  }
  const form = clip(edits.map(({ replacement }) => replacement).join(", "), 120);
  const span = p.span(start, start + key.length);
  p.fail(diagnose(syntaxMessages.shortKey, span, { key, form }, edits));
}

function failHyphenKey(p: ParserState, start: number): void {
  const raw = matchAt(KEY_RUN, p.text, start)?.[0] ?? "";
  const span = p.span(start, start + raw.length);
  const edits = [{ span, replacement: quoteText(raw) }];
  p.fail(diagnose(syntaxMessages.hyphenKey, span, { form: `${quoteText(raw)}: …` }, edits));
}

/** Reads `NAME =` if an argument begins so; null if it is positional. */
function parseArgName(p: ParserState): Name | null {
  const token = p.peek("value");
  if (token.type === "string") return failQuotedName(p, token.value, token.start, token.end);
  if (token.type !== "run") return null;
  const next = p.skip(token.end, true);
  if (isName(token.raw) && p.text[next] === "=") {
    const name = takeName(p, token);
    const sign = p.peek("name");
    if (sign.type === "sign" && sign.text === "=>") {
      failLambdaFilter(p, p.span(token.start, sign.end));
      p.fail(diagnose(syntaxMessages.lambda, p.span(token.start, sign.end), {}));
    }
    if (sign.type === "sign" && sign.text !== "=") {
      failConditionCall(p, sign);
      const span = p.span(sign.start, sign.end);
      const args = { found: sign.text, form: `${token.raw}=…` };
      const edits = [{ span, replacement: "=" }];
      p.fail(diagnose(syntaxMessages.argumentSign, span, args, edits));
    }
    p.takeIf("=");
    return name;
  }
  if (token.raw.endsWith(":") && isName(token.raw.slice(0, -1)) && !isEnd(p.text[next])) {
    failColon(p, token.raw, token.end);
  }
  return null;
}

function isEnd(char: string | undefined): boolean {
  return char === undefined || ",)]}".includes(char);
}

const COLON_NAME = /[A-Za-z_]\w*\s*(:)\s*/y;

/** `(name: x, owner: ann)`: the colons of all arguments are mended at once. */
function failColon(p: ParserState, raw: string, end: number): void {
  const edits: Edit[] = [{ span: { start: end - 1, end: p.skip(end, true) }, replacement: "=" }];
  for (let at = end; ;) {
    const comma = p.skip(stretchEnd(p.text, at), true);
    if (p.text[comma] !== ",") break;
    at = p.skip(comma + 1, true);
    const next = matchAt(COLON_NAME, p.text, at)?.[0];
    if (next === undefined) continue;
    const colon = at + next.indexOf(":");
    edits.push({ span: { start: colon, end: at + next.length }, replacement: "=" });
  }
  const args = { form: `${raw.slice(0, -1)}=…` };
  p.fail(diagnose(syntaxMessages.colonNotEquals, p.span(end - 1, end), args, edits));
}

function failQuotedName(p: ParserState, name: string, start: number, end: number): null {
  const next = p.skip(end, true);
  if (p.text[next] !== "=" || !isName(name)) return null;
  const edits = [{ span: { start, end }, replacement: name }];
  p.fail(diagnose(syntaxMessages.quotedName, p.span(start, end), { name }, edits));
  return null;
}
