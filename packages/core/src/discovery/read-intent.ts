import type { CatalogIndex } from "./catalog-index.ts";
import { foldWord } from "./fold-word.ts";
import { guessWord } from "./guess-word.ts";
import { VERB_TERMS } from "./intent-verbs.ts";
import { LIGHT_TERMS, STOP_TERMS } from "./stop-words.ts";
import { plainWords } from "./tokenize.ts";

/** A term that an intent is looked for by. */
export interface IntentTerm {
  readonly term: string;
  /** how much the word says, times how sure it is that it means this, 0 to 1 */
  readonly weight: number;
  /** number of the word it stands for; what a misspelt word may mean shares one */
  readonly word: number;
}

/** A sentence as the catalogs in scope understand it. */
export interface ReadIntent {
  readonly terms: readonly IntentTerm[];
  /** the terms in their order, unknown words as they are understood */
  readonly said: readonly string[];
  /**
   * how much each word says, by its number: 1, less if it stands in sentences about anything, 0 if it
   * is a verb that only the kinds of capabilities answer to
   */
  readonly words: readonly number[];
}

const STOP_WEIGHT = 0.1;
const LIGHT_WEIGHT = 0.4;
const VERB_WEIGHT = 0.5;

/** So many unknown words of a sentence are guessed, and no longer ones than this. */
const MOST_GUESSED = 24;
const LONGEST_GUESSED = 32;

/** Reads a sentence; what no document knows is taken for a word that one knows, if one is near. */
export function readIntent(intent: string, indexes: readonly CatalogIndex[]): ReadIntent {
  const isKnown = (term: string): boolean => indexes.some(({ postings }) => postings.has(term));
  const plain = plainWords(intent).filter((word) => Array.from(word).length > 1);
  const terms = new Map<string, IntentTerm>();
  const understood = new Map<string, string>();
  const words: number[] = [];
  const add = (term: string, sure: number, word: number): void => {
    const weight = weightOf(term) * sure;
    const before = terms.get(term);
    if (before === undefined) terms.set(term, { term, weight, word });
    else if (before.weight < weight) terms.set(term, { ...before, weight });
  };
  let guessed = 0;
  for (const [at, word] of plain.entries()) {
    const term = foldWord(word);
    if (understood.has(term)) continue;
    const joined = joinedTerm(word, plain[at + 1]);
    if (joined !== null && isKnown(joined)) add(joined, 1, words.length);
    const isVerb = VERB_TERMS.has(term) && !isKnown(term);
    const isPlain = isKnown(term) || weightOf(term) < 1;
    if (!isPlain) guessed += 1;
    const mayGuess = guessed <= MOST_GUESSED && word.length <= LONGEST_GUESSED;
    const means = isPlain ? [{ term, sure: 1 }] : mayGuess ? guessWord(word, indexes) : [];
    for (const each of means) add(each.term, each.sure, words.length);
    const meant = means[0]?.term ?? term;
    understood.set(term, meant);
    words.push(isVerb ? 0 : weightOf(STOP_TERMS.has(meant) ? meant : term));
  }
  const said = plain.map(foldWord).map((term) => understood.get(term) ?? term);
  return { terms: [...terms.values()], said, words };
}

/** Two words written apart that may be one: `work flow`. */
function joinedTerm(word: string, next: string | undefined): string | null {
  if (next === undefined || STOP_TERMS.has(foldWord(word))) return null;
  return STOP_TERMS.has(foldWord(next)) ? null : foldWord(word + next);
}

function weightOf(term: string): number {
  if (STOP_TERMS.has(term)) return STOP_WEIGHT;
  if (LIGHT_TERMS.has(term)) return LIGHT_WEIGHT;
  return VERB_TERMS.has(term) ? VERB_WEIGHT : 1;
}
