import type { Span } from "../../base/span.ts";
import type { Edit } from "../../diagnostics/diagnostic.ts";
import { example } from "../../diagnostics/examples.ts";
import { diagnose } from "../../diagnostics/messages.ts";
import { syntaxMessages } from "../../diagnostics/syntax-messages.ts";
import { clip } from "../../base/text.ts";
import type { ParserState } from "../grammar/parser-state.ts";
import { joinedForm } from "./joined.ts";
import { matchAt } from "../grammar/limits.ts";
import { stretchEnd } from "./extent.ts";
import type { Token } from "../grammar/lexer.ts";

/** `not in [..]` is a condition on a column called `not`. */
const NOT_WORD = /not\b(?=\s+(?!in\b)[A-Za-z_(])/iy;
const PATH = /^[A-Za-z_]\w*(?:\.\w+)*$/;
const GROUP_PARENS = /(any|all|not|and|or)\s*(?=\()/iy;

/**
 * Fails at a condition written as in other languages: `not x`, `!x`, `any(…)`, `(…)`. Anything else is
 * left to the grammar.
 */
export function failForeignCondition(p: ParserState, token: Token): void {
  const { text } = p;
  const at = token.start;
  if (token.type === "sign" && token.text === "(") return failGroup(p, at);
  const parens = matchAt(GROUP_PARENS, text, at)?.[1];
  if (parens !== undefined) return failParens(p, at, parens);
  failExistsBraces(p, at);
  if (p.dead) return;
  failJoiningGroup(p, at);
  if (p.dead) return;
  const not =
    matchAt(NOT_WORD, text, at)?.[0] ?? (token.type === "sign" && token.text === "!" ? "!" : null);
  if (not === null) return;
  failNot(p, at, not);
}

/** `(a=1 or b=2)`: groups have words and braces. */
function failGroup(p: ParserState, at: number): void {
  const end = stretchEnd(p.text, at);
  const form = joinedForm(p.text.slice(at, end));
  const span = p.span(at, at + 1);
  if (form === null) return p.fail(diagnose(syntaxMessages.groupedCondition, span, {}));
  const edits = [{ span: { start: at, end }, replacement: form }];
  p.fail(diagnose(syntaxMessages.groupParens, span, { form: clip(form, 160) }, edits));
}

const GROUPS: Readonly<Record<string, string>> = { or: "any", and: "all" };

/** `any(…)`, `or(…)`: a group stands in braces. */
function failParens(p: ParserState, at: number, written: string): void {
  const word = GROUPS[written.toLowerCase()] ?? written.toLowerCase();
  const open = p.text.indexOf("(", at);
  const close = p.outline().closerOf.get(open);
  const end = close ?? stretchEnd(p.text, at);
  const inner = p.text.slice(open + 1, end);
  const form = `${word}{${clip(word === "not" ? (joinedForm(inner) ?? inner) : inner, 80)}}`;
  const replaced = word === "not" ? joinedForm(inner) : null;
  const edits =
    close === undefined
      ? undefined
      : [
          { span: { start: at, end: open + 1 }, replacement: `${word}{` },
          ...(replaced === null
            ? []
            : [{ span: { start: open + 1, end: close }, replacement: replaced }]),
          { span: { start: close, end: close + 1 }, replacement: "}" },
        ];
  const span = p.span(at, at + written.length);
  p.fail(diagnose(syntaxMessages.bracesNotParens, span, { word, form }, edits));
}

/** `not a=1`, `!a`: not stands before braces. */
function failNot(p: ParserState, at: number, not: string): void {
  const start = p.skip(at + not.length, true);
  const end = stretchEnd(p.text, at);
  const inner = p.text.slice(start, end);
  const span = p.span(at, at + not.length);
  if (PATH.test(inner)) {
    return p.fail(diagnose(syntaxMessages.bareNot, span, { word: not, path: inner }));
  }
  const joined = joinedForm(p.text.slice(at, end));
  const form = joined ?? `not{${inner}}`;
  const edits = [{ span: { start: at, end }, replacement: form }];
  p.fail(diagnose(syntaxMessages.wordNot, span, { word: not, form: clip(form, 160) }, edits));
}

const EXISTS_BRACES = /exists\s*\{\s*([A-Za-z_][\w.]*)\s*\}/y;

/** `exists{a}`: a column stands in parentheses. */
function failExistsBraces(p: ParserState, at: number): void {
  const found = matchAt(EXISTS_BRACES, p.text, at);
  if (found === null) return;
  const form = `exists(${found[1] ?? ""})`;
  const edits = [{ span: { start: at, end: at + found[0].length }, replacement: form }];
  p.fail(diagnose(syntaxMessages.existsBraces, p.span(at, at + 6), { form }, edits));
}

const JOINING_GROUP = /(or|and)\s*\{/iy;

/** `or{…}` and `and{…}`: the groups are any{…} and all{…}. */
function failJoiningGroup(p: ParserState, at: number): void {
  const word = matchAt(JOINING_GROUP, p.text, at)?.[1];
  if (word === undefined) return;
  const group = word.toLowerCase() === "or" ? "any" : "all";
  const span = p.span(at, at + word.length);
  const args = { found: word, form: `${group}{…}` };
  p.fail(diagnose(syntaxMessages.foreignGroup, span, args, [{ span, replacement: group }]));
}

/** What a sign of another language is here; `=>` is always one token, so it is named, too. */
const SIGNS: Readonly<Record<string, string>> = {
  "==": "=",
  "===": "=",
  "!==": "!=",
  "<>": "!=",
  "=>": ">=",
  "=<": "<=",
  "=~": "~",
  ":": "=",
};
const FOREIGN_SIGN = /===|!==|==|=>|=<(?!<)|=~|<>|:/y;
const IS_NULL = /is\s+(not\s+)?null\b/iy;
const IS = /is\s+(not\s+)?/iy;
const NOT_IN = /not\s+in\b/iy;
const LIKE = /(?:i?like|contains|matches|includes)\b(?=\s)/iy;
/** `name starts_with "A"`: what is asked by a function here. */
const CALLED =
  /(starts?_?with|ends?_?with|begins?_?with)\s+("[^"\n]*"|'[^'\n]*'|[A-Za-z_][\w.]*)/iy;
const BETWEEN = /between\s+([^\s,}]+)\s+and\s+([^\s,}]+)/iy;
const JOINING_WORD = /(?:and|or)\b/iy;
const IN_PARENS = /\(/y;
const IN_CAPITALS = /(?:IN|In)\b/y;
/** A string that goes on with % inside it: `~` knows no patterns. */
const WILDCARD = /^(["'])[^"'\n]*%/;
/** A pattern of SQL: text in quotes, with % at its ends. */
const PATTERN = /(["'])%?([^%"'\n]*)%?\1/y;

/** What stands left of an operator. */
interface Spanned {
  readonly span: Span;
}

/** Fails at an operator written as in other languages, behind the column or behind `in`. */
export function failForeignOperator(p: ParserState, path: Spanned, token: Token): void {
  const at = token.start;
  const column = p.text.slice(path.span.start, path.span.end);
  if (p.text.slice(path.span.end, at).trimEnd().endsWith("in")) return failInParens(p, column, at);
  const sign = matchAt(FOREIGN_SIGN, p.text, at)?.[0];
  if (sign !== undefined) {
    const plain = SIGNS[sign] ?? "=";
    return failSign(p, at, sign, `${column}${plain}…`, plain);
  }
  const isNull = matchAt(IS_NULL, p.text, at);
  const is = isNull ?? matchAt(IS, p.text, at);
  if (is !== null) return failIs(p, column, at, is, isNull !== null);
  const capitals = matchAt(IN_CAPITALS, p.text, at);
  if (capitals !== null) return failInCapitals(p, column, at);
  const notIn = matchAt(NOT_IN, p.text, at)?.[0];
  if (notIn !== undefined) return failNotIn(p, path, at, notIn.length);
  const between = matchAt(BETWEEN, p.text, at);
  if (between !== null) return failBetweenWord(p, path, at, between);
  const like = matchAt(LIKE, p.text, at)?.[0];
  if (like !== undefined) {
    const end = p.skip(at + like.length, true);
    const pattern = matchAt(PATTERN, p.text, end);
    const text = pattern === null ? "" : `${pattern[1]}${pattern[2]}${pattern[1]}`;
    const behind = end + (pattern?.[0].length ?? 0);
    const whole = pattern !== null || !WILDCARD.test(p.text.slice(end, end + 200));
    const edits = whole
      ? [{ span: { start: p.lastEnd, end: behind }, replacement: `~${text}` }]
      : undefined;
    const args = { found: like, form: `${column}~"…"` };
    return p.fail(
      diagnose(syntaxMessages.foreignOperator, p.span(at, at + like.length), args, edits),
    );
  }
  const called = matchAt(CALLED, p.text, at);
  if (called !== null) return failCalledBehind(p, path, at, called);
  const ends = token.type === "sign" && /^(?:,|\}|&&?|\|\|?)$/.test(token.text);
  if (ends || matchAt(JOINING_WORD, p.text, at) !== null) failBare(p, path, column);
}

/** What a word of the language takes that stands alone where a condition belongs. */
const WORD_FORMS: Readonly<Record<string, string>> = {
  exists: "exists(column)⟦, as in exists(‹p›)⟧",
  any: "any{…}⟦, as in any{‹cond›, ‹cond2›}⟧",
  all: "all{…}⟦, as in any{‹cond›, all{‹cond2›, ‹cond3›}}⟧",
  not: "not{…}⟦, as in not{‹cond›}⟧",
};

function failBare(p: ParserState, path: Spanned, column: string): void {
  const form = WORD_FORMS[column];
  const problem =
    form === undefined
      ? diagnose(syntaxMessages.bareCondition, path.span, { path: column })
      : diagnose(syntaxMessages.bareWord, path.span, { word: column, form: example(form) });
  p.fail(problem);
}

function failSign(p: ParserState, at: number, sign: string, form: string, plain: string): void {
  const end = sign === ":" ? p.skip(at + 1, true) : at + sign.length;
  const edits = [{ span: { start: at, end }, replacement: plain }];
  const span = p.span(at, at + sign.length);
  p.fail(diagnose(syntaxMessages.foreignOperator, span, { found: sign, form }, edits));
}

function failIs(
  p: ParserState,
  column: string,
  at: number,
  is: RegExpExecArray,
  isNull: boolean,
): void {
  const plain = is[1] === undefined ? "=" : "!=";
  const replacement = isNull ? `${plain}null` : plain;
  const edits = [{ span: { start: p.lastEnd, end: at + is[0].length }, replacement }];
  const found = is[0].trimEnd();
  const args = { found, form: `${column}${replacement}${isNull ? "" : "…"}` };
  p.fail(diagnose(syntaxMessages.isNull, p.span(at, at + found.length), args, edits));
}

function failBetweenWord(p: ParserState, path: Spanned, at: number, found: RegExpExecArray): void {
  const column = p.text.slice(path.span.start, path.span.end);
  const form = `${column}>=${found[1] ?? ""}, ${column}<=${found[2] ?? ""}`;
  const edits = [
    { span: { start: path.span.start, end: at + found[0].length }, replacement: form },
  ];
  const span = p.span(at, at + "between".length);
  const args = { found: p.text.slice(at, span.end), form: clip(form, 120) };
  p.fail(diagnose(syntaxMessages.foreignOperator, span, args, edits));
}

function failCalledBehind(p: ParserState, path: Spanned, at: number, found: RegExpExecArray): void {
  const [whole, word = "", text = ""] = found;
  const name = /^e/i.test(word) ? "ends_with" : "starts_with";
  const form = `${name}(${p.text.slice(path.span.start, path.span.end)}, ${text})`;
  const edits = [{ span: { start: path.span.start, end: at + whole.length }, replacement: form }];
  const span = p.span(at, at + word.length);
  p.fail(
    diagnose(syntaxMessages.foreignOperator, span, { found: word, form: clip(form, 120) }, edits),
  );
}

function failNotIn(p: ParserState, path: Spanned, at: number, length: number): void {
  const column = p.text.slice(path.span.start, path.span.end);
  const end = stretchEnd(p.text, at);
  const rest = p.text.slice(at + length, end);
  const start = path.span.start;
  const edits: readonly Edit[] = [
    { span: { start, end: start }, replacement: "not{" },
    { span: { start: at, end: at + length }, replacement: "in" },
    { span: { start: end, end }, replacement: "}" },
  ];
  const form = `not{${column} in${clip(rest, 80)}}`;
  p.fail(diagnose(syntaxMessages.notIn, p.span(at, at + length), { form }, edits));
}

function failInCapitals(p: ParserState, column: string, at: number): void {
  const open = p.skip(at + 2, true);
  const close = p.text[open] === "(" ? p.outline().closerOf.get(open) : undefined;
  const inner = close === undefined ? "…" : clip(p.text.slice(open + 1, close), 80);
  const edits: Edit[] = [{ span: { start: at, end: at + 2 }, replacement: "in" }];
  if (close !== undefined) {
    edits.push({ span: { start: open, end: open + 1 }, replacement: "[" });
    edits.push({ span: { start: close, end: close + 1 }, replacement: "]" });
  }
  const args = { found: p.text.slice(at, at + 2), form: `${column} in [${inner}]` };
  p.fail(diagnose(syntaxMessages.foreignOperator, p.span(at, at + 2), args, edits));
}

function failInParens(p: ParserState, column: string, at: number): void {
  if (matchAt(IN_PARENS, p.text, at) === null) return;
  const close = p.outline().closerOf.get(at);
  if (close === undefined) return;
  const edits = [
    { span: { start: at, end: at + 1 }, replacement: "[" },
    { span: { start: close, end: close + 1 }, replacement: "]" },
  ];
  const form = `${column} in [${clip(p.text.slice(at + 1, close), 80)}]`;
  p.fail(diagnose(syntaxMessages.listParens, p.span(at, at + 1), { form }, edits));
}
