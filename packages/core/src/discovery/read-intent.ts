import type { CatalogIndex } from "./index-catalogs.ts";
import { casedWords, foldWord, knownWord, type NearWord, nearWords } from "./words.ts";
import { LIGHT_TERMS, STOP_TERMS } from "./stop-words.ts";
import type { Synonyms } from "./read-synonyms.ts";
import type { CapabilityKind } from "../model/model.ts";

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
/** a word of a value that the goal names: of an address, a version, a key, or in quotes */
const VALUE_WEIGHT = 0.3;
/** a capitalised word that no document holds: somebody's name, or a place */
const NAME_WEIGHT = 0.3;
/** a word that nothing here holds, where a table of everyday words is given: one of what no API is about, and any other */
const ELSEWHERE = 2;
const UNKNOWN = 0.6;
/** what a word may stand for, beside the word itself, and where nothing holds the word (TEACH-48) */
export const SYNONYM_SURE = 0.5;
const ONLY_SYNONYM_SURE = 1;

/** So many unknown words of a sentence are guessed, and no longer ones than this. */
const MOST_GUESSED = 24;
const LONGEST_GUESSED = 32;

/**
 * Reads a sentence; what no document knows is taken for a word that one knows, if one is near. What a known word may stand for beside
 * itself is as sure as `sureOfSynonyms`.
 */
export function readIntent(
  intent: string,
  indexes: readonly CatalogIndex[],
  synonyms: Synonyms = new Map(),
  sureOfSynonyms = SYNONYM_SURE,
): ReadIntent {
  const isKnown = (term: string): boolean => indexes.some(({ postings }) => postings.has(term));
  const plain = saidWords(intent);
  const terms = new Map<string, IntentTerm>();
  const understood = new Map<string, string>();
  const words: number[] = [];
  const add = (term: string, sure: number, word: number, says = weightOf(term)): void => {
    const weight = says * sure;
    const before = terms.get(term);
    if (before === undefined) terms.set(term, { term, weight, word });
    else if (before.weight < weight) terms.set(term, { ...before, weight });
  };
  let guessed = 0;
  for (const [at, { word, term, isValue, isName }] of plain.entries()) {
    if (understood.has(term)) continue;
    const next = plain[at + 1];
    const joined = joinedTerm(word, next?.word);
    if (joined !== null && isKnown(joined)) add(joined, 1, words.length);
    const standsFor = [
      ...(synonyms.get(term) ?? []),
      ...(synonyms.get(`${term} ${next?.term ?? ""}`) ?? []),
    ].flatMap((each) => each.split(" "));
    const other = isValue ? [] : standsFor.filter(isKnown);
    const isVerb = VERB_TERMS.has(term) && !isKnown(term);
    const isPlain = isKnown(term) || weightOf(term) < 1;
    const mayGuess = !isPlain && !isValue && other.length === 0 && !synonyms.has(term);
    if (mayGuess) guessed += 1;
    const guesses =
      mayGuess && guessed <= MOST_GUESSED && word.length <= LONGEST_GUESSED
        ? guessWord(word, indexes)
        : [];
    const sure = isValue ? VALUE_WEIGHT : 1;
    const means = isPlain ? [{ term, sure }] : guesses;
    for (const each of means) add(each.term, each.sure, words.length);
    for (const each of other)
      add(each, isKnown(term) ? sureOfSynonyms : ONLY_SYNONYM_SURE, words.length, weightOf(term));
    const meant = means[0]?.term ?? term;
    understood.set(term, meant);
    const says = weightOf(STOP_TERMS.has(meant) ? meant : term) * sure;
    const isUnknown = means.length === 0 && other.length === 0;
    const unknown = isName ? Math.min(says, NAME_WEIGHT) : says * unknownPart(term, synonyms);
    words.push(isVerb ? 0 : isUnknown ? unknown : says);
  }
  const said = plain.map(({ term }) => understood.get(term) ?? term);
  return { terms: [...terms.values()], said, words };
}

/**
 * How much a word that means nothing here counts in what must be explained: in full where there is no table; with one, more if the table
 * has it as a word of what no API is about, and less otherwise, since it is a name or a term of somebody's trade (TEACH-48).
 */
function unknownPart(term: string, synonyms: Synonyms): number {
  if (synonyms.size === 0) return 1;
  return synonyms.get(term)?.length === 0 ? ELSEWHERE : UNKNOWN;
}

/** A word of a sentence. */
interface SaidWord {
  readonly word: string;
  readonly term: string;
  /** stands in quotes, an address, a version or a key */
  readonly isValue: boolean;
  /** begins with a capital within the sentence */
  readonly isName: boolean;
}

/** A run of signs that is no word: with a digit or `@`, or a dot or slash within. */
const VALUE = /[\d@]|[\p{L}_][./][\p{L}_]/u;
const NAME = /^\p{Lu}\p{Ll}/u;
/** What stands before a name; `MR` and `ms` are other words. */
const TITLE = /^M(?:rs?|s)$/;

function saidWords(intent: string): readonly SaidWord[] {
  const parts = intent.split('"');
  const found = parts.flatMap((part, at) => {
    const isQuoted = at % 2 === 1 && at < parts.length - 1;
    return part.split(/\s/u).flatMap((run) => {
      const isValue = isQuoted || VALUE.test(run);
      const words = casedWords(run).filter((cased) => !TITLE.test(cased));
      return words.map((cased): SaidWord => {
        const word = cased.toLowerCase();
        return { word, term: foldWord(word), isValue, isName: NAME.test(cased) };
      });
    });
  });
  // A sentence begins with a capital whatever its first word is.
  return found
    .map((each, at) => (at === 0 ? { ...each, isName: false } : each))
    .filter(({ word }) => Array.from(word).length > 1);
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

/** What a word that no document knows may have meant, and how sure that is, 0 to 1. */
interface Guess {
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
function guessWord(word: string, indexes: readonly CatalogIndex[]): readonly Guess[] {
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

/** What an intent may ask for, the words that say so, and the kinds of capability that do it. */
const VERBS: readonly {
  readonly words: readonly string[];
  readonly kinds: readonly CapabilityKind[];
}[] = [
  { words: ["list", "show", "browse", "all"], kinds: ["query"] },
  { words: ["find", "search", "look", "lookup", "which"], kinds: ["search", "query"] },
  { words: ["create", "add", "new", "make", "insert"], kinds: ["create"] },
  { words: ["change", "update", "edit", "modify", "set", "rename"], kinds: ["update", "action"] },
  { words: ["delete", "remove", "drop", "erase", "cancel"], kinds: ["delete"] },
];

const FOLDED = VERBS.map(({ words, kinds }) => ({ words: new Set(words.map(foldWord)), kinds }));

/** The terms of words that only say what to do. */
const VERB_TERMS: ReadonlySet<string> = new Set(FOLDED.flatMap(({ words }) => [...words]));

/** The kinds of capability that the verbs of an intent ask for, one list per verb (TEACH-37). */
export function askedKinds(terms: readonly string[]): readonly (readonly CapabilityKind[])[] {
  return FOLDED.filter(({ words }) => terms.some((term) => words.has(term))).map(
    ({ kinds }) => kinds,
  );
}
