import type { Catalog } from "../mapping/catalog.ts";
import type { CatalogIndex } from "./catalog-index.ts";
import type { EntityDocument } from "./entity-document.ts";
import { foldWord } from "./fold-word.ts";
import { askedKinds } from "./intent-verbs.ts";
import { isAbout } from "./is-about.ts";
import { namePhrases } from "./name-phrases.ts";
import type { ScoredDocument } from "./rank.ts";
import { readIntent } from "./read-intent.ts";
import { namesOf } from "./resolve-api.ts";
import { scoreDocuments, type WordScores } from "./score.ts";
import { plainWords } from "./tokenize.ts";

/** A catalog in scope and what the caller can find of it. */
export interface IndexedCatalog {
  readonly catalog: Catalog;
  readonly index: CatalogIndex;
}

const VERB_BOOST = 1.2;
const NAMED_BOOST = 2;
const OWN_NAME_BOOST = 1.8;
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
): readonly ScoredDocument[] {
  const indexes = catalogs.map(({ index }) => index);
  const read = readIntent(intent, indexes);
  const named = namedCatalogs(catalogs, read.said);
  if (!isChosen && named.size === 0 && !isAbout(read, indexes)) return [];
  const asked = askedKinds(read.said);
  const meant = new Set(read.terms.map(({ term }) => term));
  const phrases = namePhrases(read, indexes);
  return [...scoreDocuments(indexes, read.terms)].map(([document, found]) => {
    const words = withoutPartsOfNames(found, phrases);
    const can = asked.filter((kinds) =>
      document.capabilities.some(({ kind }) => kinds.includes(kind)),
    );
    const ofCatalog = named.has(document.api) ? NAMED_BOOST : 1;
    const boost = VERB_BOOST ** can.length * ofCatalog * boostOfName(document, meant);
    const sum = [...words.values()].reduce((total, each) => total + each, 0);
    return { document, score: sum * boost, words };
  });
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
