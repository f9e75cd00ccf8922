/** Longest text of a kind in a cell, in code points (TEACH-13). */
export const TEXT_LIMITS = Object.freeze({ entity: 160, capability: 100, relation: 80, slot: 80 });

const BLANKS = /[\s\p{Z}\u0085]+/gu;
/** Controls, bidirectional marks, zero-width and other invisible characters, lone surrogates. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu;
const FENCE = /`{3,}/g;

/**
 * Text of a catalog as a cell may hold it (TEACH-13): invisible characters removed, whitespace
 * collapsed, fences replaced by apostrophes, cut on a word boundary to `limit` code points, `…` included.
 */
export function cleanText(text: string, limit: number): string {
  const plain = text
    .replaceAll(BLANKS, " ")
    .replaceAll(INVISIBLE, "")
    .replaceAll(/ +/g, " ")
    .replaceAll(FENCE, (run) => "'".repeat(run.length))
    .trim();
  return cutAtWord(plain, limit);
}

/** Text that says something its wire name does not, else nothing (TEACH-13). */
export function noteText(text: string, wireName: string, limit: number): string {
  const clean = cleanText(text, limit);
  return bare(clean) === bare(wireName) ? "" : clean;
}

function cutAtWord(text: string, limit: number): string {
  const points = Array.from(text);
  if (points.length <= limit) return text;
  const kept = points.slice(0, limit - 1);
  const space = kept.lastIndexOf(" ");
  const whole = points[limit - 1] === " " || space <= 0 ? kept : kept.slice(0, space);
  return `${whole.join("").trimEnd()}…`;
}

function bare(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");
}
