import { type Json, numberValue } from "@plasm/core";
import { atOnce, type Pausable } from "../turns.ts";

export type ParsedJson =
  /** `malformed`: some of its text was half a surrogate pair */
  | { readonly ok: true; readonly value: Json; readonly malformed?: true }
  | { readonly ok: false; readonly reason: "depth" | "syntax" };

/** Runs of digits, or exponents, that a double may not hold. */
const MAYBE_INEXACT = /[0-9.]{16}|[eE][+-]?[0-9]{3}/;

/** The shortest number that may be inexact: a digit and an exponent of three. */
const LEAST_INEXACT = 5;

const BACKSLASH = 92;
const QUOTE = 34;

/** Where a string ends that begins before `from`: at a quote that no odd number of backslashes escapes. */
function stringEnd(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at !== -1; at = text.indexOf('"', at + 1)) {
    let before = at;
    while (before > from && text.charCodeAt(before - 1) === BACKSLASH) before--;
    if ((at - before) % 2 === 0) return at;
  }
  return text.length;
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57;

/** Whether a letter may stand in a number: digits, `+`, `-`, `.`, `E` and `e`. */
const inNumber = (code: number): boolean =>
  isDigit(code) || code === 46 || code === 101 || code === 69 || code === 43 || code === 45;

/** Where a number ends whose first digit is at `from`. */
function numberEnd(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length && inNumber(text.charCodeAt(at))) at++;
  return at;
}

/** What parsing must know of a text beforehand. */
interface Survey {
  /** the deepest nesting of brackets, or more than may be (RUN-130, JSON depth) */
  readonly depth: number;
  /** where numbers stand that a double does not hold, and what stands for them */
  readonly inexact: readonly InexactNumber[];
}

interface InexactNumber {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** So many characters are looked at between two pauses. */
const STRETCH = 1 << 18;

/** Looks at brackets and numbers outside strings, without parsing. */
function* surveyed(text: string, stopAt: number): Pausable<Survey> {
  const inexact: InexactNumber[] = [];
  let depth = 0;
  let deepest = 0;
  let pauseAt = STRETCH;
  for (let i = 0; i < text.length && deepest <= stopAt; i++) {
    if (i >= pauseAt) {
      pauseAt = i + STRETCH;
      yield;
    }
    const code = text.charCodeAt(i);
    if (code === QUOTE) i = stringEnd(text, i + 1);
    else if (code === 91 || code === 123) deepest = Math.max(deepest, ++depth);
    else if (code === 93 || code === 125) depth--;
    else if (isDigit(code)) {
      const end = numberEnd(text, i);
      const number = end - i >= LEAST_INEXACT ? inexactNumber(text, i, end) : null;
      if (number !== null) inexact.push(number);
      i = end - 1;
    }
  }
  return { depth: deepest, inexact };
}

const MINUS = 45;
const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** The number whose first digit is at `from`, if a double does not hold it: its decimal text (RUN-033). */
function inexactNumber(text: string, from: number, end: number): InexactNumber | null {
  if (!MAYBE_INEXACT.test(text.slice(from, end))) return null;
  const start = text.charCodeAt(from - 1) === MINUS ? from - 1 : from;
  const source = text.slice(start, end);
  if (!JSON_NUMBER.test(source)) return null;
  const value = numberValue(source) ?? source;
  return typeof value === "number" ? null : { start, end, text: value };
}

/** The text with these numbers as texts of their decimals. */
function* withTexts(text: string, numbers: readonly InexactNumber[]): Pausable<string> {
  const parts: string[] = [];
  let at = 0;
  for (const { start, end, text: decimal } of numbers) {
    parts.push(text.slice(at, start), `"${decimal}"`);
    at = end;
    if (parts.length % 128 === 0) yield;
  }
  return parts.join("") + text.slice(at);
}

const SURROGATE_ESCAPE = /\\u[dD][89a-fA-F]/;

/** Every escape in turn: a pair of surrogates, a lone one, any other. */
const ESCAPES =
  /\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(u[dD][89a-fA-F][0-9a-fA-F]{2})|[^])/g;

/** Half a pair is no text: no store, hash or answer could hold it, so it is read as U+FFFD, as in UTF-8. */
const wellFormed = (json: string): string =>
  SURROGATE_ESCAPE.test(json)
    ? json.replace(ESCAPES, (escape, lone?: string) => (lone === undefined ? escape : "\\ufffd"))
    : json;

/**
 * Parses JSON of limited depth; numbers a double cannot hold become decimal text (RUN-033), halves
 * of surrogate pairs U+FFFD. It may pause but while the language's own parser works.
 */
export function* parseJsonInSteps(json: string, maxDepth: number): Pausable<ParsedJson> {
  const text = wellFormed(json);
  yield;
  const { depth, inexact } = yield* surveyed(text, maxDepth);
  if (depth > maxDepth) return { ok: false, reason: "depth" };
  const exact = inexact.length === 0 ? text : yield* withTexts(text, inexact);
  yield;
  try {
    const value: Json = JSON.parse(exact);
    return text === json ? { ok: true, value } : { ok: true, value, malformed: true };
  } catch {
    return { ok: false, reason: "syntax" };
  }
}

/** The same without a pause, for short texts. */
export const parseJson = (json: string, maxDepth: number): ParsedJson =>
  atOnce(parseJsonInSteps(json, maxDepth));
