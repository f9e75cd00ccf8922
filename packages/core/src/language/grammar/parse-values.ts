import { diagnose } from "../../diagnostics/messages.ts";
import { syntaxMessages } from "../../diagnostics/syntax-messages.ts";
import { textMessages } from "../../diagnostics/text-messages.ts";
import { timeLength } from "../../values/moments.ts";
import { type Place, bracketed, enter, leave } from "../recovery/brackets.ts";
import { stretchEnd } from "../recovery/extent.ts";
import { type Expectation, failHere, failHeredoc, failUnclosedStep } from "../recovery/failures.ts";
import { failForeignEquals, unknownFunction } from "../recovery/foreign-values.ts";
import { failHyphenKey, failInsideValue, failWithoutColon } from "../recovery/inside-value.ts";
import { failBetween } from "../recovery/list.ts";
import { isName, runKind } from "../recovery/value-run.ts";
import type {
  Arg,
  ListValue,
  Name,
  ObjectValue,
  StringValue,
  Value,
  WordValue,
} from "./ast-values.ts";
import { strangeQuotedEnd } from "./characters.ts";
import { lengthUnit } from "./date-literal.ts";
import { functionCalled, isFunction, isOfAll } from "./functions.ts";
import type { RunToken, Token } from "./lexer.ts";
import { matchAt } from "./limits.ts";
import { LEVELS, operandOf } from "./operators-ahead.ts";
import { parseArgName } from "./parse-argument-name.ts";
import { takeDollar, takeHeredoc, takeName, takeString } from "./parse-names.ts";
import {
  goesOn,
  isPartAhead,
  operatorBehind,
  takeKey,
  takeMembers,
  takeSlice,
} from "./parse-operands.ts";
import { reportStrangeText, takeRun } from "./parse-run.ts";
import type { ParserState } from "./parser-state.ts";

const A_VALUE: Expectation = {
  what: "a value: text in quotes, a number, a date, true, false, null, a word, Name(…), [..] or {..}",
  example: '"text", 12, 2026-01-31 or [a, b]',
};
const AFTER_ARG: Expectation = { what: ", or )", example: "(p=v, p=v)" };
const AFTER_VALUE: Expectation = { what: ", or )", example: "round(‹n›, 2)" };
const AFTER_ITEM: Expectation = { what: ", or ]", example: "[a, b]" };
const AFTER_ENTRY: Expectation = { what: ", or }", example: "{a: 1, b: 2}" };

/**
 * Reads the value that begins at the next token, with the operators behind it that bind as close as `from` or closer
 * (LANG section 2, `value`; LANG-048).
 */
export function parseValue(p: ParserState, place: Place, from: number = LEVELS.or): Value {
  const start = p.skip(p.pos, p.open.length > 0);
  return parseOperators(p, place, from, start, parseOperand(p, place, from));
}

/** Reads the operators behind an operand, and what they take. */
function parseOperators(
  p: ParserState,
  place: Place,
  from: number,
  start: number,
  operand: Value,
): Value {
  let left = operand;
  for (;;) {
    const operator = operatorBehind(p, place, left, from);
    if (operator === null) {
      if (place !== "conditions" && place !== "search" && place !== "data") failForeignEquals(p);
      return left;
    }
    p.pos = operator.end;
    p.lastEnd = operator.end;
    const right = parseRight(p, place, operator.level + 1);
    left = { kind: "BinaryValue", op: operator.op, left, right, span: p.spanFrom(start) };
  }
}

/** What stands right of an operator or in a function, where a length of time may stand too (LANG-043). */
export function parseRight(p: ParserState, place: Place, from: number): Value {
  const token = p.peek("value");
  const words = matchAt(WORDS, p.text, token.start);
  if (words !== null && !p.dead) return failDurationWords(p, token.start, words);
  if (token.type !== "run" || timeLength(token.raw) === null) return parseValue(p, place, from);
  p.take(token);
  const { raw, start, end } = token;
  const length: Value = { kind: "DurationValue", raw, span: p.span(start, end) };
  return parseOperators(p, place, from, start, length);
}

/** `2 days`, as other languages write `2d`. */
const WORDS = /(\d{1,9})\s*(min(?:ute)?s?|h(?:ou)?rs?|days?|weeks?|months?|mos|years?|yrs?)\b/iy;

function failDurationWords(p: ParserState, start: number, words: RegExpExecArray): Value {
  const [whole, count = "", unit = ""] = words;
  const span = p.span(start, start + whole.length);
  const raw = `${count}${lengthUnit(unit)}`;
  const edits = [{ span, replacement: raw }];
  p.report(diagnose(textMessages.durationWords, span, { form: raw }, edits));
  p.pos = start + whole.length;
  p.lastEnd = p.pos;
  return { kind: "Bad", span };
}

/** A value without operators but those in front of it, and the parts of it that are taken. */
function parseOperand(p: ParserState, place: Place, from: number): Value {
  const { start } = p.peek("value");
  let value = parseSigned(p, place, from);
  for (;;) {
    const part =
      takeKey(p, place, value, start) ??
      takeSlice(p, place, value, start) ??
      takeMembers(p, value, start);
    if (part === null) return value;
    value = part;
  }
}

const NEGATED = /-(\(|[A-Za-z_]\w*)/y;
const NOT = /not(?:\s+not){0,8}(?:\s*(\()|\s+([A-Za-z_]\w*|["'\d-]))/y;

/** Whether `not` stands before what may be true or false, and is no word of a text. */
function isNotAhead(p: ParserState, place: Place, at: number): boolean {
  const behind = matchAt(NOT, p.text, at);
  const head = behind?.[1] ?? behind?.[2];
  return head !== undefined && (isFunction(head) || goesOn(p, place, head));
}

function parseSigned(p: ParserState, place: Place, from: number): Value {
  const token = p.peek("value");
  if (token.type !== "run") return parsePlain(p, place);
  const { start } = token;
  const isNot = from <= LEVELS.not && isNotAhead(p, place, start);
  const negated = matchAt(NEGATED, p.text, start)?.[1];
  const isNegated = negated !== undefined && (isFunction(negated) || goesOn(p, place, negated));
  if (!isNot && !isNegated) return parsePlain(p, place);
  p.pos = start + (isNot ? 3 : 1);
  p.lastEnd = p.pos;
  if (!p.countOperator(start)) return { kind: "Bad", span: p.span(start, p.pos) };
  const operand = isNot ? parseValue(p, place, LEVELS.not) : parseOperand(p, place, from);
  return { kind: "UnaryValue", op: isNot ? "not" : "-", operand, span: p.spanFrom(start) };
}

function parsePlain(p: ParserState, place: Place): Value {
  const token = p.peek("value");
  switch (token.type) {
    case "string":
      return takeString(p, token);
    case "heredoc":
      return takeHeredoc(p, token);
    case "bad-heredoc":
      failHeredoc(p, token);
      break;
    case "dollar":
      return takeDollar(p, token);
    case "run":
      return parseRun(p, cutRun(p, token, place), place);
    case "strange":
      return reportStrangeText(p, token.start, token.start, strangeEnd(p, token));
    case "sign":
      if (token.text === "[") return parseList(p);
      if (token.text === "{") return parseObject(p);
      if (token.text === "(" && place !== "search" && place !== "in") return parseGroup(p, place);
      failHere(p, A_VALUE);
      break;
    default:
      failHere(p, A_VALUE);
  }
  return { kind: "Bad", span: p.span(token.start, token.end) };
}

/** `(a + b)`, the bracket being next: it is what stands inside. */
function parseGroup(p: ParserState, place: Place): Value {
  const { start } = p.peek("value");
  if (!enter(p, "(")) return { kind: "Bad", span: p.span(start, start) };
  const value = parseValue(p, place === "conditions" ? "columns" : place);
  leave(p, "(", "(‹n› + 1)");
  return value;
}

/** A run up to an operator that it holds: `_.a/2` begins with `_.a`. */
function cutRun(p: ParserState, token: RunToken, place: Place): RunToken {
  const isWhole = token.kind === "date" || token.kind === "uuid" || token.kind === "number";
  const isBehindSign = place === "call" || /[-+*/%]/.test(p.text[p.lastEnd - 1] ?? "");
  const isOfLabel = p.labels.has(/^\w+(?=\.)/.exec(token.raw)?.[0] ?? "");
  const meant = place === "columns" ? "columns" : isOfLabel ? "label" : "text";
  const raw = isWhole ? token.raw : operandOf(token.raw, meant, isBehindSign);
  if (raw.length === token.raw.length || place === "search") return token;
  const isRelative = runKind(token.raw) === "word" && !token.raw.includes("_.");
  if (isRelative && /^(?:now|today|yesterday|tomorrow)[+-]/.test(token.raw)) return token;
  return { ...token, raw, kind: runKind(raw), end: token.start + raw.length };
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
  if (p.text[next] === "(" && isName(token.raw)) return parseConstructor(p, token, place);
  if (p.text[next] === "(") failMethod(p, token, next);
  if (p.text[next] === "{" && isRelation(token, place)) return parseRelated(p, token);
  const isPart = isPartAhead(p, place, token);
  if (token.kind === "word" && !isPart && beginsQuery(p, next)) {
    failInsideValue(p, token.start, next, false);
    return { kind: "Bad", span: p.span(token.start, token.end) };
  }
  return takeRun(p, token, place, isPart);
}

const NAMES = /^[A-Za-z_]\w*(?:\.\w+)*$/;

/** Whether conditions may follow a word: related rows are summed up by a function alone (LANG-055). */
const isRelation = ({ kind, raw }: RunToken, place: Place): boolean =>
  kind === "word" && NAMES.test(raw) && (place === "call" || place === "columns");

/** Reads `_.orders{state=open}.total`, its word being next. */
function parseRelated(p: ParserState, token: RunToken): Value {
  const { raw, start, end } = token;
  p.take(token);
  const relation: WordValue = { kind: "WordValue", raw, span: p.span(start, end) };
  const pred = p.conditions(p);
  const column: Name[] = [];
  while (!p.dead && p.lastEnd === p.pos) {
    const [whole, name] = matchAt(COLUMN, p.text, p.pos) ?? [];
    if (whole === undefined || name === undefined) break;
    const at = p.pos + 1;
    p.pos += whole.length;
    p.lastEnd = p.pos;
    column.push({ kind: "Name", text: name, span: p.span(at, p.pos) });
  }
  return { kind: "RelatedValue", relation, pred, column, span: p.spanFrom(start) };
}

const COLUMN = /\.([A-Za-z_]\w*|\d+)/y;

/** `_.name.upper()`: functions stand in front, `upper(_.name)`. */
function failMethod(p: ParserState, { raw, start, end }: RunToken, open: number): void {
  const dot = raw.lastIndexOf(".");
  if (raw === "re.sub") {
    const foreign = unknownFunction({ text: "sub", span: p.span(start, end) });
    if (foreign !== null) p.fail(foreign);
    return;
  }
  const name = functionCalled(raw.slice(dot + 1));
  const head = raw.slice(0, Math.max(dot, 0));
  const isCell = head.startsWith("_.") || p.labels.has(head.split(".", 1)[0] ?? "");
  if (name === null || !isCell || dot < 0) return;
  const hasArguments = p.text[p.skip(open + 1, true)] !== ")";
  const all = isOfAll(raw) ? ", all" : "";
  const form = `${name}(${head}${hasArguments ? ", …" : ""}${all})`;
  const call = `${name}(${head}${hasArguments ? ", " : ""}`;
  const whole = stretchEnd(p.text, start);
  const edits =
    all === ""
      ? [{ span: { start, end: open + 1 }, replacement: call }]
      : [
          {
            span: { start, end: whole },
            replacement: `${call}${p.text.slice(open + 1, whole - 1)}${all})`,
          },
        ];
  const span = p.span(start + dot, end);
  p.fail(diagnose(syntaxMessages.method, span, { name: raw.slice(dot + 1), form }, edits));
}

function parseConstructor(p: ParserState, token: RunToken, place: Place): Value {
  const name = takeName(p, token);
  if (isFunction(name.text)) {
    const inside = place === "columns" || place === "conditions" ? "columns" : "call";
    const args = parseFunctionArgs(p, inside);
    return { kind: "ConstructorValue", name, args, span: p.spanFrom(token.start) };
  }
  const args = parseArgs(p);
  const next = p.peek("name");
  if (next.type === "sign" && /^(?:\.|\[|\{|~|=>)$/.test(next.text)) {
    failInsideValue(p, token.start, next.start, true);
  }
  return { kind: "ConstructorValue", name, args, span: p.spanFrom(token.start) };
}

/** Reads the `(value, …)` of a function, the bracket being next: no argument has a name. */
function parseFunctionArgs(p: ParserState, place: Place): readonly Arg[] {
  let start = p.pos;
  return bracketed(
    p,
    "(",
    () => {
      start = p.skip(p.pos, true);
      const value = parseRight(p, place, LEVELS.or);
      return { kind: "Arg", value, span: p.spanFrom(start) };
    },
    () => failBetween(p, place, start, AFTER_VALUE),
  );
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
