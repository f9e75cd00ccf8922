import { baseOf } from "./irregular-words.ts";

const VOWEL = /[aeiouy]/;

/**
 * The stem of an English word: plural, -ing and -ed taken off, and what they change in spelling
 * levelled, so that `planning`, `planned`, `plans` and `plan` are one term. Stems are not words.
 */
export function foldWord(word: string): string {
  return levelled(withoutEnding(singular(spelt(baseOf(word)))));
}

/** Spellings that differ between the coasts of an ocean: `harbour`, `organisation`, `catalogue`. */
function spelt(word: string): string {
  return word
    .replace(/(?<=\p{L}{3})our(?=s?$|ed$|ing$)/u, "or")
    .replace(/(?<=\p{L}{3}[^w])is(?=e[sd]?$|ing$|ations?$)/u, "iz")
    .replace(/(?<=\p{L}{3})logue(?=s?$)/u, "log");
}

function singular(word: string): string {
  if (word.length < 4) return word;
  if (word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  if (/(?:ss|sh|ch|x|zz)es$/.test(word)) return word.slice(0, -2);
  return /(?:ss|us|is)$/.test(word) || !word.endsWith("s") ? word : word.slice(0, -1);
}

function withoutEnding(word: string): string {
  const stem = /^(.{3,})ing$/.exec(word)?.[1] ?? /^(.{2,}[^e])ed$/.exec(word)?.[1];
  return stem !== undefined && VOWEL.test(stem) ? stem : word;
}

function levelled(stem: string): string {
  if (stem.length < 4) return stem;
  const single = /([bdfglmnprtz])\1$/.test(stem) ? stem.slice(0, -1) : stem;
  if (single.length > 3 && single.endsWith("e")) return single.slice(0, -1);
  return single.endsWith("y") ? `${single.slice(0, -1)}i` : single;
}
