import { countBelow } from "../text/count-below.ts";
import type { Span } from "./span.ts";

/**
 * The line starts and surrogate pairs of one text, so that any offset becomes a line and a column
 * in logarithmic time, however long the lines are.
 */
export interface LineIndex {
  /** Length of the text in UTF-16 code units. */
  readonly length: number;
  /** Offset at which each line starts; the first is 0. Lines end with LF. */
  readonly lineStarts: readonly number[];
  /** Offset of each surrogate pair. */
  readonly pairs: readonly number[];
}

/** Indexes a text once, in linear time. */
export function indexLines(text: string): LineIndex {
  const lineStarts = [0];
  const pairs: number[] = [];
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === 0x0a) lineStarts.push(at + 1);
    else if (unit >= 0xd800 && unit <= 0xdbff && isLowSurrogate(text.charCodeAt(at + 1))) {
      pairs.push(at);
      at++;
    }
  }
  return Object.freeze({ length: text.length, lineStarts, pairs });
}

/** The span of `start`..`end`, both clamped to the text (ERR-002). */
export function spanAt(index: LineIndex, start: number, end: number): Span {
  const from = Math.min(Math.max(start, 0), index.length);
  const to = Math.min(Math.max(end, from), index.length);
  const line = countUpTo(index.lineStarts, from);
  const lineStart = index.lineStarts[line - 1] ?? 0;
  const pairsBefore = countBelow(index.pairs, from) - countBelow(index.pairs, lineStart);
  return { start: from, end: to, line, column: from - lineStart - pairsBefore + 1 };
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

/** How many of the ascending numbers are at most `limit`. */
function countUpTo(sorted: readonly number[], limit: number): number {
  return countBelow(sorted, limit + 1);
}
