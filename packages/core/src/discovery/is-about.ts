import type { CatalogIndex } from "./catalog-index.ts";
import { DOING, NAMING, type EntityDocument } from "./entity-document.ts";
import type { ReadIntent } from "./read-intent.ts";

/** The part of a sentence that one entity must explain, or all entities together. */
const PART_OF_ONE = 0.35;
const PART_OF_ALL = 0.75;

/** What one entity must explain of a sentence of any length: a name of it and something it does. */
const ENOUGH = NAMING + DOING;

/** What a word is worth that stands in no name and among no words for finding a thing. */
const DESCRIBED = 0.5;

/**
 * Whether an intent is about what the catalogs hold: what one entity, or all together, explain of its
 * words is enough, by what each word says. Sentences on other things share a word or two by chance.
 */
export function isAbout({ terms, words }: ReadIntent, indexes: readonly CatalogIndex[]): boolean {
  const ofAll = new Map<number, number>();
  const ofOne = new Map<EntityDocument, Map<number, number>>();
  for (const { term, weight, word } of terms) {
    for (const { document } of indexes.flatMap(({ postings }) => postings.get(term) ?? [])) {
      const explained = weight * (document.chosen.get(term) ?? DESCRIBED);
      const own = ofOne.get(document) ?? new Map<number, number>();
      own.set(word, Math.max(own.get(word) ?? 0, explained));
      ofOne.set(document, own);
      ofAll.set(word, Math.max(ofAll.get(word) ?? 0, explained));
    }
  }
  const said = words.reduce((sum, each) => sum + each, 0);
  const best = Math.max(0, ...[...ofOne.values()].map(sumOf));
  return best >= Math.min(ENOUGH, PART_OF_ONE * said) || sumOf(ofAll) >= PART_OF_ALL * said;
}

const sumOf = (parts: ReadonlyMap<number, number>): number =>
  [...parts.values()].reduce((sum, each) => sum + each, 0);
