import type { CountTokens } from "./tokens.ts";

/** Counting is quadratic in a run of text without breaks, so text is counted in pieces this long. */
const PIECE = 512;

/**
 * The tokens of a text, or some number above `limit` as soon as it is passed: a cell of a megabyte
 * costs no more than one that just does not fit. Pieces may count a few tokens more than the whole.
 */
export function costWithin(text: string, limit: number, count: CountTokens): number {
  let cost = 0;
  for (let start = 0; start < text.length && cost <= limit; start += PIECE) {
    cost += count(text.slice(start, start + PIECE));
  }
  return cost;
}
