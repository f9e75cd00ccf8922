import type { CountTokens } from "../answer/tokens.ts";

/** A part of a text, from one code point to another. */
export interface Chunk {
  readonly text: string;
  /** code points before the next part; null where this one ends the text */
  readonly next: number | null;
}

/** Code units that are counted at a time: counting is quadratic in text without breaks. */
const PIECE = 512;

/** Where the text may be cut at or before `at`: not within a surrogate pair. */
function between(text: string, at: number): number {
  const unit = text.charCodeAt(at - 1);
  const isHigh = unit >= 0xd800 && unit <= 0xdbff;
  return isHigh && at < text.length ? at - 1 : at;
}

/** Where in a text so many of its code points end; null if it has fewer. */
function unitsBefore(text: string, points: number): number | null {
  let at = 0;
  for (let left = points; left > 0; left -= 1) {
    const point = text.codePointAt(at);
    if (point === undefined) return null;
    at += point > 0xffff ? 2 : 1;
  }
  return at;
}

/** The end of the longest beginning of a piece that costs at most `left`, one code point at least. */
function cutWithin(text: string, start: number, end: number, left: number, count: CountTokens) {
  let fits = between(text, start + 1) > start ? start + 1 : start + 2;
  let beyond = end;
  while (beyond - fits > 1) {
    const middle = between(text, Math.floor((fits + beyond) / 2));
    if (middle <= fits) break;
    if (count(text.slice(start, middle)) <= left) fits = middle;
    else beyond = middle;
  }
  return fits;
}

/** A cut at the end of a line reads better, where one ends in the second half. */
function atLineEnd(text: string, start: number, end: number): number {
  const line = text.lastIndexOf("\n", end - 1) + 1;
  return line > start + (end - start) / 2 ? line : end;
}

function endWithin(text: string, start: number, budget: number, count: CountTokens): number {
  let left = budget;
  let at = start;
  while (at < text.length) {
    const end = between(text, Math.min(at + PIECE, text.length));
    const cost = count(text.slice(at, end));
    if (cost > left) {
      const cut = at > start && left <= 0 ? at : cutWithin(text, at, end, left, count);
      return atLineEnd(text, start, cut);
    }
    left -= cost;
    at = end;
  }
  return at;
}

/**
 * What of a text fits in so many tokens from a code point on, cut between code points; it makes progress whatever
 * the budget, and the chunks joined are the text (GRAFT-11). Null if the text ends before.
 */
export function chunkOf(
  text: string,
  offset: number,
  budget: number,
  count: CountTokens,
): Chunk | null {
  const start = unitsBefore(text, offset);
  if (start === null) return null;
  const end = endWithin(text, start, budget, count);
  const chunk = text.slice(start, end);
  return { text: chunk, next: end === text.length ? null : offset + Array.from(chunk).length };
}
