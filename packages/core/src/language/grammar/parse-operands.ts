import { isRelativeDate } from "../../values/relative-date.ts";
import { type Place, enter, leave, pairAhead } from "../recovery/brackets.ts";
import type { Name, Value } from "./ast-values.ts";
import { isFunction } from "./functions.ts";
import type { RunToken } from "./lexer.ts";
import { matchAt } from "./limits.ts";
import { LEVELS, type OperatorAhead, operatorAt } from "./operators-ahead.ts";
import { takeString } from "./parse-names.ts";
import type { ParserState } from "./parser-state.ts";

const CURSOR = /^_(?![A-Za-z0-9_])/;
const CONSTANT = /^(?:true|false|null)$/;

/**
 * Whether a word may be computed with: the row at hand, a label bound before, a moment, or a name where names are
 * columns. Elsewhere it is text, and a sign behind it is more of it (LANG-007).
 */
export function goesOn(p: ParserState, place: Place, raw: string): boolean {
  switch (place) {
    case "search":
    case "in":
      return false;
    case "columns":
    case "call":
      return true;
    case "conditions":
    case "object":
    case "args":
    case "list":
    case "data": {
      if (CURSOR.test(raw) || isRelativeDate(raw) || /^\(?$/.test(raw)) return true;
      const head = raw.split(".", 1)[0] ?? raw;
      return p.labels.has(head);
    }
  }
}

/** What words of text and signs make together, if it is a calculation to its end: `price * 2`, `shipped + 2d`. */
const CALCULATION =
  /\s*(?:[-+*/%]\s*(?:[\w.:]+|"[^"\n]*"|'[^'\n]*')\s*)+(?=[,}\])\n]|and\b|or\b|$)/y;

/** `new in _.tags`: a word that is looked for needs no quotes. */
const AMONG = /\s+in\s+(?:_\.[A-Za-z_]|\[)/y;

function isAmong(p: ParserState, place: Place, at: number): boolean {
  return place !== "search" && place !== "in" && place !== "conditions" && p.matches(AMONG, at);
}

/** Whether an operator may stand behind a value, or behind a run that may become one. */
function isOperand(p: ParserState, place: Place, value: Value | RunToken): boolean {
  if ("type" in value) {
    if (value.kind === "number" || value.kind === "date") return place !== "search";
    if (value.kind !== "word") return false;
    if (CONSTANT.test(value.raw)) return place !== "search" && place !== "in";
    return isComputable(p, place, value.raw, value.end);
  }
  switch (value.kind) {
    case "WordValue":
      return isComputable(p, place, value.raw, p.pos);
    case "ConstructorValue":
      return isFunction(value.name.text);
    case "StringValue":
    case "NumberValue":
    case "DateValue":
    case "BoolValue":
    case "NullValue":
    case "PlaceholderValue":
    case "ListValue":
    case "BinaryValue":
    case "UnaryValue":
    case "DurationValue":
    case "SliceValue":
    case "MemberValue":
    case "RelatedValue":
      return place !== "search" && place !== "in";
    case "HeredocValue":
    case "UuidValue":
    case "ObjectValue":
    case "Bad":
      return false;
  }
}

function isComputable(p: ParserState, place: Place, raw: string, end: number): boolean {
  return goesOn(p, place, raw) || isCalculation(p, place, end) || isAmong(p, place, end);
}

/** Where columns may be meant by their names, or somebody forgot that they are not: the check tells which. */
function isCalculation(p: ParserState, place: Place, at: number): boolean {
  if (place !== "conditions" && (place !== "object" || p.bodyRows === null)) return false;
  return p.matches(CALCULATION, at);
}

/** The operator behind a value, or behind a run that is not yet taken, that binds as close as `from` or closer. */
export function operatorBehind(
  p: ParserState,
  place: Place,
  value: Value | RunToken,
  from: number,
): OperatorAhead | null {
  if (p.dead || !isOperand(p, place, value)) return null;
  const end = "type" in value ? value.end : p.pos;
  const at = p.skip(end, p.open.length > 0);
  const isComparable = place !== "conditions" && place !== "data" && from <= LEVELS.comparison;
  const ahead = operatorAt(p.text, at, !isComparable);
  if (ahead === null || ahead.level < from) return null;
  // A line that begins with a sign of its own is the next item, and a comma is missing.
  const isGlued = !/\s/.test(p.text[ahead.end] ?? " ");
  if (isGlued && p.text.slice(end, at).includes("\n")) return null;
  if (ahead.level <= LEVELS.and && pairAhead(p.text, at, place) !== null) return null;
  if ("type" in value) return ahead;
  return p.countOperator(at) ? ahead : null;
}

/** Whether a run is the first part of a value that goes on: an operator, a slice or a quoted key follows. */
export function isPartAhead(p: ParserState, place: Place, run: RunToken): boolean {
  if (operatorBehind(p, place, run, 0) !== null) return true;
  if (run.kind !== "word" || place === "search" || place === "in") return false;
  const next = p.text[run.end];
  if (next === "[")
    return maySlice(p, place, run.raw) && (isSlice(p, run.end) || isKey(p, run.end));
  return run.raw.endsWith(".") && (next === '"' || next === "'");
}

function maySlice(p: ParserState, place: Place, raw: string): boolean {
  return goesOn(p, place, raw) || place === "conditions";
}

function isSlice(p: ParserState, at: number): boolean {
  const [, first, colon, last] = matchAt(SLICE, p.text, at) ?? [];
  return colon !== undefined || (first !== undefined && last === undefined);
}

const KEY = /\[\s*(?=["'])/y;

/** `["postal code"]`, as other languages write `."postal code"`. */
function isKey(p: ParserState, at: number): boolean {
  return p.matches(KEY, at);
}

/** Takes `["key"]` directly behind a word of values; null if none is there. */
export function takeKey(p: ParserState, place: Place, operand: Value, start: number): Value | null {
  if (p.dead || p.lastEnd !== p.pos || !isKey(p, p.pos)) return null;
  const isWord = operand.kind === "WordValue" && maySlice(p, place, operand.raw);
  if (!isWord && operand.kind !== "MemberValue") return null;
  if (!enter(p, "[")) return null;
  const token = p.peek("value");
  if (token.type !== "string") return null;
  const { text, span } = takeString(p, token);
  leave(p, "[", '_.meta."a b"');
  const key: Name = { kind: "Name", text, quoted: true, span };
  const segments = operand.kind === "MemberValue" ? [...operand.segments, key] : [key];
  const of = operand.kind === "MemberValue" ? operand.operand : operand;
  return { kind: "MemberValue", operand: of, segments, span: p.spanFrom(start) };
}

const SLICE = /\[\s*(?:(-?\d{1,9})\s*)?(?:(:)\s*)?(?:(-?\d{1,9})\s*)?\]/y;

/** Takes `[1:3]` or `[0]` directly behind a value; null if none is there. */
export function takeSlice(
  p: ParserState,
  place: Place,
  operand: Value,
  start: number,
): Value | null {
  if (p.text[p.pos] !== "[" || p.lastEnd !== p.pos || p.dead) return null;
  const isWord = operand.kind === "WordValue";
  if (isWord ? !maySlice(p, place, operand.raw) : !isOperand(p, place, operand)) return null;
  if (!isSlice(p, p.pos)) return null;
  const [whole = "", first, colon, last] = matchAt(SLICE, p.text, p.pos) ?? [];
  p.pos += whole.length;
  p.lastEnd = p.pos;
  if (!p.countOperator(start)) return null;
  return {
    kind: "SliceValue",
    operand,
    from: first === undefined ? null : Number(first),
    to: last === undefined ? null : Number(last),
    single: colon === undefined,
    span: p.spanFrom(start),
  };
}

const MEMBER = /\.(?:([A-Za-z_][A-Za-z0-9_]*|\d+)(?!\s*\()|(?=["']))/y;

/** Takes what is behind a quoted key or a call, `."screen size".unit`; null if nothing of that is there. */
export function takeMembers(p: ParserState, operand: Value, start: number): Value | null {
  if (p.dead || p.lastEnd !== p.pos) return null;
  const dotted = operand.kind === "WordValue" && operand.raw.endsWith(".");
  if (dotted) {
    if (!/["']/.test(p.text[p.pos] ?? "")) return null;
    p.pos -= 1;
  } else if (operand.kind !== "ConstructorValue" && operand.kind !== "SliceValue") return null;
  const segments: Name[] = [];
  for (;;) {
    const member = matchAt(MEMBER, p.text, p.pos);
    if (member === null) break;
    const at = p.pos + 1;
    p.pos += member[0].length;
    p.lastEnd = p.pos;
    const [, name] = member;
    if (name !== undefined) {
      segments.push({ kind: "Name", text: name, span: p.span(at, p.pos) });
      continue;
    }
    const token = p.peek("value");
    if (token.type !== "string") break;
    const { text, span } = takeString(p, token);
    segments.push({ kind: "Name", text, quoted: true, span });
  }
  if (segments.length === 0) return null;
  const whole: Value = dotted
    ? {
        ...operand,
        raw: operand.raw.slice(0, -1),
        span: p.span(operand.span.start, operand.span.end - 1),
      }
    : operand;
  return { kind: "MemberValue", operand: whole, segments, span: p.spanFrom(start) };
}
