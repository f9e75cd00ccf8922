import { type Json, numberValue } from "@plasm/core";

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
  /** whether any number may be none that a double holds */
  readonly inexact: boolean;
}

/** Looks at brackets and numbers outside strings, without parsing. */
function surveyed(text: string, stopAt: number): Survey {
  let depth = 0;
  let deepest = 0;
  let inexact = false;
  for (let i = 0; i < text.length && deepest <= stopAt; i++) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) i = stringEnd(text, i + 1);
    else if (code === 91 || code === 123) deepest = Math.max(deepest, ++depth);
    else if (code === 93 || code === 125) depth--;
    else if (isDigit(code)) {
      const end = numberEnd(text, i);
      inexact ||= end - i >= LEAST_INEXACT && MAYBE_INEXACT.test(text.slice(i, end));
      i = end - 1;
    }
  }
  return { depth: deepest, inexact };
}

type SourceReviver = (
  key: string,
  value: unknown,
  context?: { readonly source?: string },
) => unknown;

/** Keeps a number that a double cannot hold as its decimal text (RUN-033). */
const exactNumbers: SourceReviver = (_key, value, context) =>
  typeof value === "number" && context?.source !== undefined
    ? (numberValue(context.source) ?? context.source)
    : value;

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
 * of surrogate pairs U+FFFD.
 */
export function parseJson(json: string, maxDepth: number): ParsedJson {
  const text = wellFormed(json);
  const { depth, inexact } = surveyed(text, maxDepth);
  if (depth > maxDepth) return { ok: false, reason: "depth" };
  try {
    const value: Json = inexact ? JSON.parse(text, exactNumbers) : JSON.parse(text);
    return text === json ? { ok: true, value } : { ok: true, value, malformed: true };
  } catch {
    return { ok: false, reason: "syntax" };
  }
}
