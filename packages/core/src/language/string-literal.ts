import { matchAt } from "./scan.ts";

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
