import { clip } from "../../base/text.ts";
import { example } from "../../diagnostics/examples.ts";
import { diagnose } from "../../diagnostics/messages.ts";
import { syntaxMessages } from "../../diagnostics/syntax-messages.ts";
import { textMessages } from "../../diagnostics/text-messages.ts";
import { bracketed, enter, joinAhead, leave } from "../recovery/brackets.ts";
import { failForeignCondition, failForeignOperator } from "../recovery/conditions.ts";
import { type Expectation, failHere, failHeredoc } from "../recovery/failures.ts";
import { failUnknownFunction } from "../recovery/foreign-values.ts";
import { failJoinedValues } from "../recovery/inside-value.ts";
import { failBetween } from "../recovery/list.ts";
import type { And, CompareOp, Exists, In, ListValue, Path, Pred, Value } from "./ast-values.ts";
import { isFunction } from "./functions.ts";
import type { NameToken } from "./lexer.ts";
import { MAX_CONDITION_DEPTH } from "./limits.ts";
import { LEVELS, isComputedAt } from "./operators-ahead.ts";
import { parsePath, takeDollar } from "./parse-names.ts";
import { parseList, parseRight, parseValue } from "./parse-values.ts";
import type { ParserState } from "./parser-state.ts";

const A_CONDITION: Expectation = {
  what: "a condition: column, operator and value, exists(column), any{..}, all{..} or not{..}",
  example: "{‹cond›, ‹cond2›}",
};
const AFTER_CONDITION: Expectation = { what: ", or }", example: "{‹cond›, ‹cond2›}" };
const A_LIST: Expectation = {
  what: "a list or a label's column",
  example: "‹oneOf›",
};

/** Reads `{pred, …}`, the bracket being next; empty braces are no condition (LANG-051). */
export function parsePreds(p: ParserState): And {
  return parseBraces(p, 0);
}

/** `depth` is how many of any, all, not and parentheses stand around the braces. */
function parseBraces(p: ParserState, depth: number): And {
  const { start } = p.peek("name");
  let item = start;
  let isFirst = true;
  const items = bracketed(
    p,
    "{",
    (): Pred => {
      item = p.skip(p.pos, true);
      // A comma means `and`, and counts as one.
      if (!isFirst && !p.countOperator(item)) return { kind: "Bad", span: p.span(item, item) };
      isFirst = false;
      return parseJoined(p, "or", depth);
    },
    () => failBetween(p, "conditions", item, AFTER_CONDITION),
  );
  return { kind: "And", items, span: p.spanFrom(start) };
}

/** `a and b or c`: `and` binds closer than `or` (LANG-051). */
function parseJoined(p: ParserState, word: "or" | "and", depth: number): Pred {
  const { start } = p.peek("name");
  const read = (): Pred => (word === "or" ? parseJoined(p, "and", depth) : parseUnit(p, depth));
  const items = [read()];
  while (takeJoin(p, word)) items.push(read());
  const [only] = items;
  if (only !== undefined && items.length === 1) return only;
  return { kind: word === "or" ? "Or" : "And", items, span: p.spanFrom(start) };
}

/** Takes `and` or `or` if a condition follows it; else it is a word of a text, or in error. */
function takeJoin(p: ParserState, word: "or" | "and"): boolean {
  if (p.dead) return false;
  const at = p.skip(p.pos, true);
  if (!p.text.startsWith(word, at) || joinAhead(p.text, at)?.word !== word) return false;
  p.pos = at + word.length;
  p.lastEnd = p.pos;
  return p.countOperator(at);
}

const NOT = /not(?=\s*\(|\s+(?!in\b)[A-Za-z_(])/y;
/** `exists(orders{state=open})`: related rows with conditions, which are computed. */
const RELATED = /exists\s*\(\s*[A-Za-z_][\w.]*\s*\{/y;

function parseUnit(p: ParserState, depth: number): Pred {
  const token = p.peek("name");
  const bad: Pred = { kind: "Bad", span: p.span(token.start, token.end) };
  if (p.matches(NOT, token.start)) {
    if (depth === MAX_CONDITION_DEPTH) failTooDeep(p, token.start);
    p.pos = token.start + 3;
    p.lastEnd = p.pos;
    const { start } = p.peek("name");
    const item = parseUnit(p, depth + 1);
    const pred: And = { kind: "And", items: [item], span: p.spanFrom(start) };
    return { kind: "Not", pred, span: p.spanFrom(token.start) };
  }
  if (token.type === "sign" && token.text === "(" && isGroup(p, token.start)) {
    return parseParens(p, depth);
  }
  if (token.type === "name") {
    const next = p.text[p.skip(token.end, true)];
    if (next === "{" && isGroupWord(token.text)) return parseGroup(p, token, token.text, depth);
    if (next === "(" && token.text === "exists" && !p.matches(RELATED, token.start)) {
      return parseExists(p, token);
    }
    if (next === "(" && isFunction(token.text)) return parseTest(p);
    failUnknownFunction(p, { text: token.text, span: p.span(token.start, token.end) });
    if (p.dead) return bad;
  }
  if (isComputedAt(p.text, token.start)) return parseTest(p);
  failForeignCondition(p, token);
  if (p.dead) return bad;
  const path = parsePath(p, A_CONDITION);
  return p.dead ? bad : parseComparison(p, path);
}

/** What follows the parentheses of conditions, where those of a calculation have a sign. */
const AFTER_GROUP = /,|\}|\)|and\b|or\b|$/y;

function isGroup(p: ParserState, start: number): boolean {
  const close = p.outline().closerOf.get(start);
  return close === undefined || p.matches(AFTER_GROUP, p.skip(close + 1, true));
}

function parseParens(p: ParserState, depth: number): Pred {
  const token = p.peek("name");
  if (depth === MAX_CONDITION_DEPTH) failTooDeep(p, token.start);
  if (!enter(p, "(")) return { kind: "Bad", span: p.span(token.start, token.end) };
  const inner = parseJoined(p, "or", depth + 1);
  leave(p, "(", "(‹cond› or ‹cond2›)");
  return inner;
}

/** A condition whose left side is computed, or a function that is true or false of a row (LANG-048). */
function parseTest(p: ParserState): Pred {
  const { start } = p.peek("name");
  const left = parseValue(p, "columns", LEVELS.sum);
  const token = p.peek("name");
  const isIn = token.type === "name" && token.text === "in";
  const op = isIn ? "in" : token.type === "sign" && isCompareOp(token.text) ? token.text : null;
  if (op === null && token.type === "name" && !/^(?:and|or)$/i.test(token.text)) {
    failForeignOperator(p, left, token);
  }
  if (op === null) return { kind: "Test", value: left, span: p.spanFrom(start) };
  p.take(token);
  if (!p.countOperator(token.start)) return { kind: "Bad", span: p.spanFrom(start) };
  const right = parseRight(p, "columns", LEVELS.sum);
  const span = p.spanFrom(start);
  return { kind: "Test", value: { kind: "BinaryValue", op, left, right, span }, span };
}

type GroupWord = "any" | "all" | "not";

function isGroupWord(word: string): word is GroupWord {
  return word === "any" || word === "all" || word === "not";
}

function parseGroup(p: ParserState, token: NameToken, word: GroupWord, depth: number): Pred {
  if (depth === MAX_CONDITION_DEPTH) failTooDeep(p, token.start);
  p.take(token);
  const group = parseBraces(p, depth + 1);
  const span = p.spanFrom(token.start);
  if (group.items.length === 0 && !p.dead) {
    const args = {
      what: `${word}{}`,
      inside: example(`at least one condition⟦, as in ${word}{‹cond›}⟧`),
    };
    p.report(diagnose(textMessages.emptyList, span, args));
    return { kind: "Bad", span };
  }
  if (word === "any") return { kind: "Or", items: group.items, span };
  return word === "all" ? { ...group, span } : { kind: "Not", pred: group, span };
}

function failTooDeep(p: ParserState, at: number): void {
  const actual = groupDepth(p.text.slice(at), MAX_CONDITION_DEPTH);
  const args = {
    what: "The nesting of conditions",
    limit: `${MAX_CONDITION_DEPTH} levels`,
    actual: `${actual} or more`,
  };
  p.fail(diagnose(textMessages.tooLarge, p.span(at, at + 1), args));
}

/** How deep a text that begins with a nested group goes on directly. */
function groupDepth(text: string, above: number): number {
  const nested = /^(?:(?:any|all|not)\s*\{\s*)+/.exec(text)?.[0] ?? "";
  return above + (nested.match(/\{/g)?.length ?? 1);
}

function parseExists(p: ParserState, token: NameToken): Exists {
  p.take(token);
  enter(p, "(");
  const path = parsePath(p, { what: "a column", example: "exists(‹p›)" });
  leave(p, "(", "exists(‹p›)");
  return { kind: "Exists", path, span: p.spanFrom(token.start) };
}

function parseComparison(p: ParserState, path: Path): Pred {
  const token = p.peek("name");
  if (token.type === "name" && token.text === "in") {
    p.take(token);
    return parseIn(p, path);
  }
  failForeignOperator(p, path, token);
  if (p.dead) return { kind: "Bad", span: p.spanFrom(path.span.start) };
  if (token.type !== "sign" || !isCompareOp(token.text)) {
    failHere(p, { what: "an operator: = != > >= < <= ~ in", example: "‹cond›" });
    return { kind: "Bad", span: p.spanFrom(path.span.start) };
  }
  p.take(token);
  failJoinedValues(p, path, token.text);
  const value = parseRight(p, "conditions", LEVELS.sum);
  return { kind: "Compare", path, op: token.text, value, span: p.spanFrom(path.span.start) };
}

function isCompareOp(sign: string): sign is CompareOp {
  return ["=", "!=", ">", ">=", "<", "<=", "~"].includes(sign);
}

function parseIn(p: ParserState, path: Path): In {
  const start = path.span.start;
  const token = p.peek("value");
  if (token.type === "sign" && token.text === "[") {
    const list = nonEmpty(p, parseList(p));
    return { kind: "In", path, list, span: p.spanFrom(start) };
  }
  if (token.type === "dollar") {
    return { kind: "In", path, word: takeDollar(p, token), span: p.spanFrom(start) };
  }
  if (token.type === "bad-heredoc") failHeredoc(p, token);
  const value = token.type === "run" || token.type === "string" ? parseValue(p, "in") : null;
  if (value?.kind === "WordValue" || value?.kind === "PlaceholderValue" || value?.kind === "Bad") {
    return { kind: "In", path, word: value, span: p.spanFrom(start) };
  }
  const word = { kind: "Bad" as const, span: p.span(token.start, token.end) };
  if (value !== null) failOneValue(p, path, value);
  failForeignOperator(p, path, token);
  failHere(p, A_LIST);
  return { kind: "In", path, word, span: p.spanFrom(start) };
}

/** `state in "lost"`: even one value stands in a list; `null` is compared, not listed (LANG-042). */
function failOneValue(p: ParserState, path: Path, value: Value): void {
  const raw = p.text.slice(value.span.start, value.span.end);
  const column = p.text.slice(path.span.start, path.span.end);
  const form = value.kind === "NullValue" ? `${column}=null` : `${column} in [${raw}]`;
  const span = { start: path.span.start, end: value.span.end };
  const args = { found: clip(raw, 40), form: clip(form, 120) };
  const edits = [{ span, replacement: form }];
  p.fail(diagnose(syntaxMessages.oneValue, value.span, args, edits));
}

function nonEmpty(p: ParserState, list: ListValue): ListValue {
  if (list.items.length === 0 && !p.dead) {
    const args = {
      what: "The list after in",
      inside: example("at least one value⟦, as in ‹oneOf›⟧"),
    };
    p.report(diagnose(textMessages.emptyList, list.span, args));
  }
  return list;
}
