import type { CatalogIndex } from "./catalog-index.ts";
import { foldWord } from "./fold-word.ts";
import { knownWord, nearWords, type NearWord } from "./near-words.ts";
import { STOP_TERMS } from "./stop-words.ts";

/** What a word that no document knows may have meant, and how sure that is, 0 to 1. */
export interface Guess {
  readonly term: string;
  readonly sure: number;
}

const MOST_GUESSES = 3;
const TWO_WORDS_SURE = 0.9;
const AKIN_SURE = 0.6;
/** a guess with another first letter: people seldom mistype that */
const OTHER_START_SURE = 0.6;

/** A word of at least so many letters may hold two typing errors. */
const LONG = 8;
/** A word of fewer letters is corrected only where letters changed places or one is missing. */
const SHORT = 5;

const STOP_WORDS = [...STOP_TERMS].map(knownWord);

/**
 * What a word that no document knows may have meant, from what the catalogs were told to be found by:
 * two words written as one, a word nearly spelt so, else one that differs in its ending only.
 */
export function guessWord(word: string, indexes: readonly CatalogIndex[]): readonly Guess[] {
  const two = twoWordsOf(word, indexes);
  if (two.length > 0) return two.map((term) => ({ term, sure: TWO_WORDS_SURE }));
  const term = foldWord(word);
  const near = misspelt(word, term, indexes);
  if (near.length > 0) return near;
  const akin = indexes
    .flatMap(({ vocabulary }) => vocabulary.map((known) => known.term))
    .filter((known) => isAkin(term, known));
  return [...new Set(akin)].slice(0, MOST_GUESSES).map((each) => ({ term: each, sure: AKIN_SURE }));
}

/** The words that were written as one, if together they are a name: `timeentries`. */
function twoWordsOf(word: string, indexes: readonly CatalogIndex[]): readonly string[] {
  for (let at = 2; at <= word.length - 2; at += 1) {
    const two = [foldWord(word.slice(0, at)), foldWord(word.slice(at))];
    if (indexes.some(({ phrases }) => phrases.has(two.join(" ")))) return two;
  }
  return [];
}

function misspelt(word: string, term: string, indexes: readonly CatalogIndex[]): readonly Guess[] {
  const vocabulary = [...STOP_WORDS, ...indexes.flatMap((index) => index.vocabulary)];
  const near = nearWords(term, term.length < LONG ? 1 : 2, vocabulary);
  const nearest = near.filter(({ errors }) => errors === near[0]?.errors);
  const sameStart = nearest.filter((each) => each.term.startsWith(term.slice(0, 1)));
  const chosen = (sameStart.length > 0 ? sameStart : nearest).filter(
    (each) => word.length >= SHORT || each.term.length > term.length || isSwap(each.term, term),
  );
  const stop = chosen.find((each) => STOP_TERMS.has(each.term));
  if (stop !== undefined) return [{ term: stop.term, sure: 1 }];
  const sureOfStart = sameStart.length > 0 ? 1 : OTHER_START_SURE;
  const sure = new Map(chosen.map((each) => [each.term, sureOf(each, term) * sureOfStart]));
  return [...sure].slice(0, MOST_GUESSES).map(([each, of]) => ({ term: each, sure: of }));
}

/** The longer the word, the surer: few words are one letter away from a long one. */
function sureOf({ errors }: NearWord, { length }: string): number {
  if (errors > 1) return 0.65;
  if (length < SHORT) return 0.6;
  return length === SHORT ? 0.75 : 0.85;
}

const lettersOf = (word: string): string => Array.from(word).toSorted().join("");
const isSwap = (left: string, right: string): boolean => lettersOf(left) === lettersOf(right);

const SHARED_LETTERS = 5;
const SHARED_PART = 0.6;
const ENDING_LETTERS = 4;

/** Whether two words share all but their endings: `approval`, `approve`. */
function isAkin(left: string, right: string): boolean {
  const longer = Math.max(left.length, right.length);
  let shared = 0;
  while (shared < left.length && left[shared] === right[shared]) shared += 1;
  const enough = Math.max(SHARED_LETTERS, SHARED_PART * longer, longer - ENDING_LETTERS);
  return shared >= enough;
}
