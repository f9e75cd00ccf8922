import type { Catalog } from "../mapping/template.ts";
import type { CatalogIndex, EntityDocument } from "./index-catalogs.ts";
import { foldWord, plainWords } from "./words.ts";
import type { Synonyms } from "./read-synonyms.ts";
import { askedKinds, readIntent, type ReadIntent, SYNONYM_SURE } from "./read-intent.ts";
import { type ScoredDocument, scoreDocuments, sumOf, type WordScores } from "./score.ts";
import { namesOf } from "./resolve-entity.ts";

/** A catalog in scope and what the caller can find of it. */
export interface IndexedCatalog {
  readonly catalog: Catalog;
  readonly index: CatalogIndex;
}

/**
 * What tells that an entity is meant, weighed against each other: what the words say of it; the part of its name that is told; each
 * verb that one of its capabilities answers to; its catalog named, if another word says something of it. Fitted to half of the goals of `bench goals` by conditional logistic
 * regression, and rounded (docs/adr/0224).
 */
const WEIGHTS = { words: 1.5, name: 1.8, verb: 0.8, named: 0.7 };

/** Another of its names told whole, as a part of its own. */
const OTHER_NAME = 0.65;

/** What a word is worth to a document that has only a part of the name it stands in. */
const PART_OF_NAME = 0.4;

/** What shares a word with an intent, and whether the intent is about what the catalogs hold. */
export interface Match {
  /** in no order, each with its odds: e to the sum of what tells that it is meant (TEACH-37, TEACH-51) */
  readonly scored: readonly ScoredDocument[];
  /** who chose catalogs, or names one in the sentence, is taken at their word */
  readonly fits: boolean;
  /** the part of the intent that each catalog explains */
  readonly ofCatalogs: ReadonlyMap<string, number>;
}

/** Returns the documents that share a word with an intent, and whether they fit it (TEACH-39). */
export function matchIntent(
  intent: string,
  catalogs: readonly IndexedCatalog[],
  isChosen: boolean,
  synonyms?: Synonyms,
  reading = LISTED,
): Match {
  const indexes = catalogs.map(({ index }) => index);
  const read = readIntent(intent, indexes, synonyms, reading.synonyms);
  const explained = explainedParts(read, indexes);
  const named = namedCatalogs(catalogs, read.said);
  const asked = askedKinds(read.said);
  const meant = new Set(read.terms.map(({ term }) => term));
  const phrases = namePhrases(read, indexes);
  const found = [...scoreDocuments(indexes, read.terms, reading.otherFields)];
  const scored = found.map(([document, wordsOfIt]) => {
    const words = withoutPartsOfNames(wordsOfIt, phrases);
    const can = asked.filter((kinds) =>
      document.capabilities.some(({ kind }) => kinds.includes(kind)),
    );
    const tells =
      WEIGHTS.words * sumOf(words) +
      WEIGHTS.name * partOfName(document, meant) +
      WEIGHTS.verb * can.length +
      reading.catalog * (explained.ofCatalogs.get(document.api) ?? 0) +
      WEIGHTS.named * (named.has(document.api) && words.size > 1 ? 1 : 0);
    return {
      document,
      score: Math.exp(tells),
      words,
      isNamed: isNamed(document, read, phrases),
    };
  });
  const fits = isChosen || named.size > 0 || isAbout(explained, reading);
  return { scored, fits, ofCatalogs: explained.ofCatalogs };
}

/** The part of an entity's own name that is told, 0 to 1, and at least so much where another of its names is told whole. */
function partOfName({ names }: EntityDocument, meant: ReadonlySet<string>): number {
  const [own = []] = names;
  const part = own.length === 0 ? 0 : own.filter((term) => meant.has(term)).length / own.length;
  const isOther = names.some((name) => name.length > 0 && name.every((term) => meant.has(term)));
  return isOther ? Math.max(part, OTHER_NAME) : part;
}

/** Whether an entity's own name is told whole, in the goal's own words, and is no part of a longer name. */
function isNamed(
  { names: [own = []] }: EntityDocument,
  { said, terms }: ReadIntent,
  phrases: readonly (readonly number[])[],
): boolean {
  if (own.length === 0 || !own.every((term) => said.includes(term))) return false;
  const words = terms.filter(({ term }) => own.includes(term)).map(({ word }) => word);
  return phrases.every(
    (phrase) =>
      !phrase.some((word) => words.includes(word)) || phrase.every((word) => words.includes(word)),
  );
}

/** In `pull request` both words mean one thing: a mere `request` is another. */
function withoutPartsOfNames(
  found: WordScores,
  phrases: readonly (readonly number[])[],
): WordScores {
  const words = new Map(found);
  for (const phrase of phrases) {
    if (phrase.every((word) => found.has(word))) continue;
    for (const word of phrase) {
      const score = found.get(word);
      if (score !== undefined) words.set(word, score * PART_OF_NAME);
    }
  }
  return words;
}

/** The catalogs that an intent names, by id, label or alias, as a whole word or words (TEACH-37). */
function namedCatalogs(
  catalogs: readonly IndexedCatalog[],
  said: readonly string[],
): ReadonlySet<string> {
  const text = ` ${said.join(" ")} `;
  const isNamed = (catalog: Catalog): boolean => {
    const tags = new Set(catalog.cgs.tags.map((tag) => tag.trim().toLowerCase()));
    return namesOf(catalog).some((name) => {
      const words = plainWords(name).map(foldWord).join(" ");
      return !tags.has(name) && words !== "" && text.includes(` ${words} `);
    });
  };
  return new Set(
    catalogs.filter(({ catalog }) => isNamed(catalog)).map(({ catalog }) => catalog.entryId),
  );
}

/** How a sentence is read. */
export interface Reading {
  /** the part of it that one catalog must explain, or all together */
  readonly ofCatalog: number;
  readonly ofAll: number;
  /** what it weighs that the catalog of an entity explains all of it */
  readonly catalog: number;
  /** how sure it is that a word stands for another beside itself (TEACH-48) */
  readonly synonyms: number;
  /** how much further fields add that hold a word */
  readonly otherFields: number;
}

/** For a list that somebody looks through. */
const LISTED: Reading = Object.freeze({
  ofCatalog: 0.5,
  ofAll: 0.75,
  catalog: 3,
  synonyms: SYNONYM_SURE,
  otherFields: 0,
});

/**
 * For what a goal alone is taught: whoever opens a session has something in mind that is here, and few rows are chosen (TEACH-47).
 */
export const TAUGHT: Reading = Object.freeze({
  ofCatalog: 0.45,
  ofAll: 0.75,
  catalog: 0,
  synonyms: 0.25,
  otherFields: 0.3,
});

/** A catalog alone explains less of a sentence by chance than the best of many. */
const LESS_OF_ONE = 0.05;

/** What a word is worth that stands in no name and among no words for finding a thing. */
const DESCRIBED = 0.7;

/** The parts of a sentence that catalogs explain, by what each word says, 0 to 1. */
export interface ExplainedParts {
  readonly ofCatalogs: ReadonlyMap<string, number>;
  readonly ofAll: number;
}

/** What each catalog, and all together, explain of a sentence. */
export function explainedParts(
  { terms, words }: ReadIntent,
  indexes: readonly CatalogIndex[],
): ExplainedParts {
  const all = new Map<number, number>();
  const ofCatalogs = new Map<string, Map<number, number>>();
  for (const { documents } of indexes)
    for (const { api } of documents) ofCatalogs.set(api, ofCatalogs.get(api) ?? new Map());
  for (const { term, weight, word } of terms) {
    for (const { document } of indexes.flatMap(({ postings }) => postings.get(term) ?? [])) {
      const explained = weight * (document.chosen.get(term) ?? DESCRIBED);
      for (const most of [ofCatalogs.get(document.api), all])
        most?.set(word, Math.max(most.get(word) ?? 0, explained));
    }
  }
  const said = words.reduce((sum, each) => sum + each, 0);
  // Of a sentence that says nothing, nothing is left to explain.
  const partOf = (explained: WordScores): number => (said === 0 ? 1 : sumOf(explained) / said);
  const parts = [...ofCatalogs].map(([api, own]) => [api, partOf(own)] as const);
  return { ofCatalogs: new Map(parts), ofAll: partOf(all) };
}

/**
 * Whether an intent is about what the catalogs hold: what one catalog, or all together, explain of its words is enough (TEACH-39).
 * Sentences on other things share a word or two by chance, with several catalogs rather than with one.
 */
export function isAbout({ ofCatalogs, ofAll }: ExplainedParts, reading: Reading = LISTED): boolean {
  const least = reading.ofCatalog - (ofCatalogs.size === 1 ? LESS_OF_ONE : 0);
  return Math.max(0, ...ofCatalogs.values()) >= least || ofAll >= reading.ofAll;
}

const LONGEST_NAME = 4;

/** Words of an intent that stand together as a name of something, by their numbers; longest first. */
export function namePhrases(
  { said, terms }: ReadIntent,
  indexes: readonly CatalogIndex[],
): readonly (readonly number[])[] {
  const words = new Map(terms.map(({ term, word }) => [term, word]));
  const found: (readonly number[])[] = [];
  let at = 0;
  while (at < said.length) {
    const length = lengthOfName(said, at, indexes);
    if (length > 1)
      found.push(said.slice(at, at + length).flatMap((term) => words.get(term) ?? []));
    at += length;
  }
  return found;
}

/** How many words from here on are a name, 1 if none begins here. */
function lengthOfName(
  said: readonly string[],
  at: number,
  indexes: readonly CatalogIndex[],
): number {
  for (let length = Math.min(LONGEST_NAME, said.length - at); length > 1; length -= 1) {
    const name = said.slice(at, at + length).join(" ");
    if (indexes.some(({ phrases }) => phrases.has(name))) return length;
  }
  return 1;
}
