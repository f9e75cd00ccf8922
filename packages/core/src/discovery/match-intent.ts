import type { Catalog } from "../mapping/template.ts";
import type { CatalogIndex, EntityDocument } from "./index-catalogs.ts";
import { foldWord, plainWords } from "./words.ts";
import type { Synonyms } from "./read-synonyms.ts";
import { askedKinds, readIntent, type ReadIntent } from "./read-intent.ts";
import {
  raiseByCatalog,
  type ScoredDocument,
  scoreDocuments,
  sumOf,
  type WordScores,
} from "./score.ts";
import { namesOf } from "./resolve-entity.ts";

/** A catalog in scope and what the caller can find of it. */
export interface IndexedCatalog {
  readonly catalog: Catalog;
  readonly index: CatalogIndex;
}

const VERB_BOOST = 1.2;
const NAMED_BOOST = 2;
const OWN_NAME_BOOST = 2;
const OTHER_NAME_BOOST = 1.25;

/** What a word is worth to a document that has only a part of the name it stands in. */
const PART_OF_NAME = 0.4;

/**
 * The documents that fit an intent, with scores above 0, in no order (TEACH-37). None if the intent is
 * about something else; who chose catalogs, or names one in the sentence, is taken at their word.
 */
export function matchIntent(
  intent: string,
  catalogs: readonly IndexedCatalog[],
  isChosen: boolean,
  synonyms?: Synonyms,
  parts = LISTED,
): readonly ScoredDocument[] {
  const indexes = catalogs.map(({ index }) => index);
  const read = readIntent(intent, indexes, synonyms);
  const named = namedCatalogs(catalogs, read.said);
  if (!isChosen && named.size === 0 && !isAbout(read, indexes, parts)) return [];
  const asked = askedKinds(read.said);
  const meant = new Set(read.terms.map(({ term }) => term));
  const phrases = namePhrases(read, indexes);
  const rows = [...scoreDocuments(indexes, read.terms)].map(([document, found]) => {
    const words = withoutPartsOfNames(found, phrases);
    const can = asked.filter((kinds) =>
      document.capabilities.some(({ kind }) => kinds.includes(kind)),
    );
    const ofCatalog = named.has(document.api) ? NAMED_BOOST : 1;
    const boost = VERB_BOOST ** can.length * ofCatalog * boostOfName(document, meant);
    return { document, score: sumOf(words) * boost, words };
  });
  return isChosen ? rows : raiseByCatalog(rows, parts.raise);
}

/** An entity is better meant by all of its name, or of one it is also found by, than by a part. */
function boostOfName({ names }: EntityDocument, meant: ReadonlySet<string>): number {
  const isSaid = (name: readonly string[] | undefined): boolean =>
    name !== undefined && name.length > 0 && name.every((term) => meant.has(term));
  if (isSaid(names[0])) return OWN_NAME_BOOST;
  return names.some(isSaid) ? OTHER_NAME_BOOST : 1;
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

/** The part of a sentence that one catalog must explain, or all together; and what a catalog that explains all adds to its rows. */
export interface ExplainedParts {
  readonly ofCatalog: number;
  readonly ofAll: number;
  readonly raise: number;
}

/** For a list that somebody looks through. */
const LISTED: ExplainedParts = Object.freeze({ ofCatalog: 0.5, ofAll: 0.85, raise: 1.5 });

/**
 * For what a goal alone is taught: whoever opens a session has something in mind that is here, and few rows are chosen (TEACH-47).
 */
export const TAUGHT: ExplainedParts = Object.freeze({ ofCatalog: 0.45, ofAll: 0.75, raise: 0 });

/** A catalog alone explains less of a sentence by chance than the best of many. */
const LESS_OF_ONE = 0.05;

/** What a word is worth that stands in no name and among no words for finding a thing. */
const DESCRIBED = 0.7;

/**
 * Whether an intent is about what the catalogs hold: what one catalog, or all together, explain of its words is enough, by what each
 * word says (TEACH-39). Sentences on other things share a word or two by chance, with several catalogs rather than with one.
 */
export function isAbout(
  { terms, words }: ReadIntent,
  indexes: readonly CatalogIndex[],
  parts: ExplainedParts = LISTED,
): boolean {
  const ofAll = new Map<number, number>();
  const ofCatalogs = new Map<CatalogIndex, Map<number, number>>();
  for (const { term, weight, word } of terms) {
    for (const index of indexes) {
      const own = ofCatalogs.get(index) ?? new Map<number, number>();
      ofCatalogs.set(index, own);
      for (const { document } of index.postings.get(term) ?? []) {
        const explained = weight * (document.chosen.get(term) ?? DESCRIBED);
        for (const most of [own, ofAll]) most.set(word, Math.max(most.get(word) ?? 0, explained));
      }
    }
  }
  const said = words.reduce((sum, each) => sum + each, 0);
  const best = Math.max(0, ...[...ofCatalogs.values()].map(sumOf));
  const least = parts.ofCatalog - (indexes.length === 1 ? LESS_OF_ONE : 0);
  return best >= least * said || sumOf(ofAll) >= parts.ofAll * said;
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
