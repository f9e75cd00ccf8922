import type { CatalogIndex, Posting } from "./catalog-index.ts";
import { FIELD_WEIGHTS, type EntityDocument } from "./entity-document.ts";
import type { IntentTerm } from "./read-intent.ts";

const K1 = 1.2;
const B = 0.3;

/** What each word of an intent adds to the score of a document, by the number of the word. */
export type WordScores = ReadonlyMap<number, number>;

/**
 * BM25F of each document that holds a term of an intent (TEACH-37): term counts are summed over the
 * fields by weight, each normalised by its length, then saturated together.
 */
export function scoreDocuments(
  indexes: readonly CatalogIndex[],
  terms: readonly IntentTerm[],
): ReadonlyMap<EntityDocument, WordScores> {
  const total = indexes.reduce((sum, { documents }) => sum + documents.length, 0);
  const average = FIELD_WEIGHTS.map((_, field) => {
    const length = indexes.reduce((sum, { lengths }) => sum + (lengths[field] ?? 0), 0);
    return total === 0 ? 0 : length / total;
  });
  const scores = new Map<EntityDocument, Map<number, number>>();
  for (const { term, weight, word } of terms) {
    const postings = indexes.flatMap((index) => index.postings.get(term) ?? []);
    const rarity = Math.log(1 + (total - postings.length + 0.5) / (postings.length + 0.5));
    for (const posting of postings) {
      const frequency = frequencyOf(posting, average);
      const score = (weight * rarity * frequency) / (K1 + frequency);
      const words = scores.get(posting.document) ?? new Map<number, number>();
      words.set(word, (words.get(word) ?? 0) + score);
      scores.set(posting.document, words);
    }
  }
  return scores;
}

function frequencyOf({ document, counts }: Posting, average: readonly number[]): number {
  let sum = 0;
  for (const [field, weight] of FIELD_WEIGHTS.entries()) {
    const count = counts[field] ?? 0;
    if (count === 0) continue;
    const relative = (document.fields[field]?.length ?? 0) / (average[field] || 1);
    sum += (weight * count) / (1 - B + B * relative);
  }
  return sum;
}
