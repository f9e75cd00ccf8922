import { lineEnd, matchAt, newlineAt, nextLine } from "./limits.ts";
import { countBelow } from "../../base/text.ts";

/** A mistake inside a string, by offsets of the program. */
export interface StringProblem {
  readonly kind: "escape" | "null" | "control";
  readonly start: number;
  readonly end: number;
}

/** A string as read: `end` is behind the closing quote, or at the line end if there is none. */
export interface ScannedString {
  readonly value: string;
  readonly end: number;
  readonly closed: boolean;
  readonly problems: readonly StringProblem[];
}

const SIMPLE: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  b: "\b",
  f: "\f",
  "/": "/",
  "\\": "\\",
  '"': '"',
  "'": "'",
};
const PLAIN_TEXT = /[^"'\\\p{Cc}]+/uy;
const UNIT = /\\u([0-9a-fA-F]{4})/y;

/** Reads the string that begins with the quote at `start` (LANG-006). */
export function scanString(text: string, start: number): ScannedString {
  const quote = text[start];
  const parts: string[] = [];
  const problems: StringProblem[] = [];
  let at = start + 1;
  for (;;) {
    const plain = matchAt(PLAIN_TEXT, text, at);
    if (plain !== null) {
      parts.push(plain[0]);
      at += plain[0].length;
    }
    const char = text[at];
    if (char === quote) return { value: parts.join(""), end: at + 1, closed: true, problems };
    if (char === undefined || char === "\n" || (char === "\r" && text[at + 1] === "\n")) {
      return { value: parts.join(""), end: at, closed: false, problems };
    }
    if (char === "\\") {
      const escape = scanEscape(text, at);
      parts.push(escape.value);
      if (escape.problem !== null)
        problems.push({ kind: escape.problem, start: at, end: escape.end });
      at = escape.end;
    } else {
      const control = /\p{Cc}/u.test(char) && char !== "\t";
      if (control) problems.push({ kind: "control", start: at, end: at + 1 });
      parts.push(char);
      at++;
    }
  }
}

interface ScannedEscape {
  readonly value: string;
  readonly end: number;
  readonly problem: "escape" | "null" | null;
}

function scanEscape(text: string, at: number): ScannedEscape {
  const next = text[at + 1];
  const simple = next === undefined ? undefined : SIMPLE[next];
  if (simple !== undefined) return { value: simple, end: at + 2, problem: null };
  if (next === "u") return scanUnit(text, at);
  const isLineEnd = next === undefined || next === "\n" || next === "\r";
  const length = isLineEnd ? 1 : 1 + String.fromCodePoint(text.codePointAt(at + 1) ?? 0).length;
  return { value: text.slice(at, at + length), end: at + length, problem: "escape" };
}

function scanUnit(text: string, at: number): ScannedEscape {
  const high = unitAt(text, at);
  if (high === null) {
    const half = matchAt(/\\u[0-9a-fA-F]{0,3}/y, text, at)?.[0] ?? "\\u";
    return { value: half, end: at + half.length, problem: "escape" };
  }
  if (high === 0) return { value: "", end: at + 6, problem: "null" };
  if (high < 0xd800 || high > 0xdfff) {
    return { value: String.fromCharCode(high), end: at + 6, problem: null };
  }
  const low = unitAt(text, at + 6);
  if (high <= 0xdbff && low !== null && low >= 0xdc00 && low <= 0xdfff) {
    return { value: String.fromCharCode(high, low), end: at + 12, problem: null };
  }
  return { value: text.slice(at, at + 6), end: at + 6, problem: "escape" };
}

function unitAt(text: string, at: number): number | null {
  const digits = matchAt(UNIT, text, at)?.[1];
  return digits === undefined ? null : Number.parseInt(digits, 16);
}

/** A heredoc as read: the token ends behind the closing tag, what follows it returns to the parser. */
export interface HeredocToken {
  readonly type: "heredoc";
  readonly start: number;
  readonly end: number;
  readonly tag: string;
  readonly body: string;
}

/** `<<` that opens no heredoc, or one that nothing closes; the token is the opener alone. */
export interface BadHeredocToken {
  readonly type: "bad-heredoc";
  readonly start: number;
  readonly end: number;
  readonly reason: "tripled" | "no-tag" | "trailing" | "unterminated";
  readonly tag: string;
}

const OPENER = /<<(<*)([A-Za-z_][A-Za-z0-9_]*)?/y;
const BLANKS = /[ \t]*/y;

/** Reads the heredoc whose `<<` is at `start` (LANG-008). */
export function scanHeredoc(
  text: string,
  start: number,
  lines: HeredocLines,
): HeredocToken | BadHeredocToken {
  const opener = matchAt(OPENER, text, start);
  const openerEnd = start + (opener?.[0].length ?? 2);
  const tag = opener?.[2] ?? "";
  const bad = (reason: BadHeredocToken["reason"]): BadHeredocToken => {
    return { type: "bad-heredoc", start, end: openerEnd, reason, tag };
  };
  if (opener?.[1] !== "") return bad("tripled");
  if (tag === "") return bad("no-tag");
  const lineEnds = openerEnd + (matchAt(BLANKS, text, openerEnd)?.[0].length ?? 0);
  if (lineEnds === text.length) return bad("unterminated");
  const newline = newlineAt(text, lineEnds);
  if (newline === 0) return bad("trailing");
  const bodyStart = lineEnds + newline;
  const closer = closingLine(lines, tag, bodyStart);
  if (closer === undefined) return bad("unterminated");
  const body = bodyOf(text, bodyStart, closer.start, newline === 2);
  return { type: "heredoc", start, end: closer.start + tag.length, tag, body };
}

/** The lines before the closing one, without the last line end; LF for CRLF where the opener has CRLF. */
function bodyOf(text: string, start: number, closerTag: number, crlf: boolean): string {
  const closerLine = text.lastIndexOf("\n", closerTag) + 1;
  if (closerLine <= start) return "";
  const lastEnd = closerLine - 1;
  const end = lastEnd > start && text[lastEnd - 1] === "\r" ? lastEnd - 1 : lastEnd;
  const raw = text.slice(start, end);
  return crlf ? raw.replaceAll("\r\n", "\n") : raw;
}

/**
 * Leads offsets of a heredoc's body back into the program, so that errors inside templates point into
 * them (ERR-002). `start` is that of the node's span, `text` the program as sent; linear once, then
 * logarithmic for each offset.
 */
export function heredocOffsets(
  text: string,
  start: number,
  body: string,
): (bodyOffset: number) => number {
  const openerEnd = lineEnd(text, start);
  const bodyStart = nextLine(text, openerEnd);
  if (text.charCodeAt(openerEnd) !== 0x0d) return (bodyOffset) => bodyStart + bodyOffset;
  // Offsets of the body whose LF was CRLF in the program.
  const shortened: number[] = [];
  for (let at = body.indexOf("\n"); at >= 0; at = body.indexOf("\n", at + 1)) {
    if (text.charCodeAt(bodyStart + at + shortened.length) === 0x0d) shortened.push(at);
  }
  return (bodyOffset) => bodyStart + bodyOffset + countBelow(shortened, bodyOffset);
}

/** A line that begins with a tag. */
interface TagLine {
  /** Offset of the tag. */
  readonly start: number;
  /** What follows the tag on its line. */
  readonly rest: string;
}

interface TagLines {
  readonly closing: TagLine[];
  readonly near: TagLine[];
}

/** Which lines of a text close a heredoc of a given tag, and which only nearly do (LANG-008). */
export type HeredocLines = ReadonlyMap<string, TagLines>;

const FIRST_NAME = /[ \t]*([A-Za-z_][A-Za-z0-9_]*)(?![A-Za-z0-9_])([^\n]*)/y;
const ONLY_CLOSERS = /^[)\]},\t ]*$/;
const GLUED_CLOSER = /^[)\]}]/;

/** Indexes every line that begins with a name, in one pass, so that no heredoc searches by itself. */
export function indexHeredocLines(text: string): HeredocLines {
  const lines = new Map<string, TagLines>();
  for (let at = 0; at < text.length; at = nextLine(text, at)) {
    const found = matchAt(FIRST_NAME, text, at);
    const tag = found?.[1];
    if (found === null || tag === undefined) continue;
    const rest = (found[2] ?? "").replace(/\r$/, "");
    const line = { start: at + found[0].indexOf(tag), rest };
    const known = lines.get(tag) ?? { closing: [], near: [] };
    lines.set(tag, known);
    (ONLY_CLOSERS.test(rest) || GLUED_CLOSER.test(rest) ? known.closing : known.near).push(line);
  }
  return lines;
}

/** The first line at or after an offset that closes a heredoc of this tag. */
export function closingLine(lines: HeredocLines, tag: string, from: number): TagLine | undefined {
  return firstFrom(lines.get(tag)?.closing ?? [], from);
}

/** The first line at or after an offset that begins with the tag but does not close it. */
export function nearLine(lines: HeredocLines, tag: string, from: number): TagLine | undefined {
  return firstFrom(lines.get(tag)?.near ?? [], from);
}

function firstFrom(lines: readonly TagLine[], from: number): TagLine | undefined {
  let low = 0;
  let high = lines.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((lines[middle]?.start ?? 0) < from) low = middle + 1;
    else high = middle;
  }
  return lines[low];
}

const NAMED: Readonly<Record<string, string>> = {
  "\n": "\\n",
  "\t": "\\t",
  "\r": "\\r",
  "\b": "\\b",
  "\f": "\\f",
  "\\": "\\\\",
  '"': '\\"',
};

/** Controls, signs that change the order in which others are shown, `"` and `\`. */
const ACTING = /[\p{Cc}\\"\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/**
 * A text as a STRING in double quotes (LANG-006), as plans and suggestions show it: no character of it
 * acts, the rest stands as it is.
 */
export function quoteText(text: string): string {
  return `"${text.replace(ACTING, escapeOf)}"`;
}

/** The escape of one character: a named one, else `\uXXXX`. */
export function escapeOf(char: string): string {
  return NAMED[char] ?? `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
