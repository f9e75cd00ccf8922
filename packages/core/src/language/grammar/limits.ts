/** The caps of LANG-001; whatever goes beyond them is `too_large`. */
export const MAX_BYTES = 262_144;
export const MAX_STATEMENTS = 500;
export const MAX_DEPTH = 64;
export const MAX_CONDITION_DEPTH = 50;
export const MAX_ITEMS = 10_000;
export const MAX_NAME = 128;
/** Operators of one statement: trees of values are as deep as their operators are many. */
export const MAX_OPERATORS = 500;

/** The largest n of `limit` and `page_size` (LANG-062), and of `page` (PLAN-082). */
export const MAX_COUNT = 100_000;
export const MAX_PAGE = 1_000;

/** What a sticky expression matches exactly at an offset, or null. */
export function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** The text that a sticky expression matches at an offset; undefined if none. Nothing but it is made. */
export function textAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? text.slice(at, pattern.lastIndex) : undefined;
}

/** The offset of the line end (LF, or the CR before it) at or after an offset. */
export function lineEnd(text: string, at: number): number {
  const found = text.indexOf("\n", at);
  if (found < 0) return text.length;
  return found > at && text.charCodeAt(found - 1) === 0x0d ? found - 1 : found;
}

/** The offset at which the line after the one at `at` begins, or the end of the text. */
export function nextLine(text: string, at: number): number {
  const found = text.indexOf("\n", at);
  return found < 0 ? text.length : found + 1;
}

/** Length of the line end at an offset: 2 for CRLF, 1 for LF, 0 for none. */
export function newlineAt(text: string, at: number): 0 | 1 | 2 {
  const unit = text.charCodeAt(at);
  if (unit === 0x0a) return 1;
  return unit === 0x0d && text.charCodeAt(at + 1) === 0x0a ? 2 : 0;
}

/**
 * Skips blanks and comments, and line ends too if `lines` says so (LANG-002, LANG-004); answers the
 * offset of what comes next.
 */
export function skipBlanks(text: string, from: number, lines: boolean): number {
  let at = from;
  for (;;) {
    const unit = text.charCodeAt(at);
    if (unit === 0x20 || unit === 0x09) at++;
    else if (unit === 0x3b && text.charCodeAt(at + 1) === 0x3b) at = lineEnd(text, at);
    else if (lines && newlineAt(text, at) > 0) at += newlineAt(text, at);
    else return at;
  }
}
