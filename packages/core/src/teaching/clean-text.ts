/** Longest text of a kind in a cell, in code points (TEACH-13); `needs` of one list of values. */
export const TEXT_LIMITS = Object.freeze({
  entity: 160,
  capability: 100,
  relation: 80,
  slot: 80,
  needs: 60,
});

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
  return saysMore(clean, wireName) ? clean : "";
}

/** Whether a text is not contained in what is said already, letters and digits compared alone. */
export function saysMore(text: string, said: string): boolean {
  return !bare(said).includes(bare(text));
}

/**
 * Whether a text has a word that none of `names` has, words that join others and verbs of reading aside:
 * "List all pull requests" says nothing beyond PullRequest, "open ones, newest first" does.
 */
export function saysMoreThanNames(text: string, names: readonly string[]): boolean {
  const known = new Set(names.flatMap(wordsOf));
  return wordsOf(text).some((word) => !known.has(word) && !EMPTY_WORDS.has(word));
}

const EMPTY_WORDS = new Set(
  (
    "a an the this that these those of by for from in on at to with and or as is are be it its all any " +
    "every each one single given some specific list get fetch return retrieve read search find query show look up " +
    "lookup via using use id key name entity row record item resource api"
  ).split(" "),
);

/** The words of a text or a name in lower case, without a plural's ending. */
function wordsOf(text: string): readonly string[] {
  const spaced = text.replaceAll(/(\p{Ll}|\p{N})(?=\p{Lu})/gu, "$1 ").toLowerCase();
  return (spaced.match(/[\p{L}\p{N}]+/gu) ?? []).map((word) =>
    word.length > 3 ? word.replace(/ies$/, "y").replace(/(?<=[^s])s$/, "") : word,
  );
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
