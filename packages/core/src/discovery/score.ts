import { FIELD_WEIGHTS, type EntityDocument } from "./entity-document.ts";

const K1 = 1.2;
const B = 0.3;

/**
 * BM25F of each document for the terms of an intent, in document order (TEACH-37): term counts are
 * summed over the fields by weight, each normalised by its length, then saturated together.
 */
export function scoreDocuments(
  documents: readonly EntityDocument[],
  terms: readonly string[],
): readonly number[] {
  const average = FIELD_WEIGHTS.map((_, at) => {
    const total = documents.reduce((sum, { fields }) => sum + (fields[at]?.length ?? 0), 0);
    return documents.length === 0 ? 0 : total / documents.length;
  });
  const scores = documents.map(() => 0);
  for (const term of new Set(terms)) {
    const weights = documents.map((document) => weightOf(document, term, average));
    const found = weights.filter((weight) => weight > 0).length;
    if (found === 0) continue;
    const rarity = Math.log(1 + (documents.length - found + 0.5) / (found + 0.5));
    for (const [at, weight] of weights.entries()) {
      scores[at] = (scores[at] ?? 0) + (rarity * weight) / (K1 + weight);
    }
  }
  return scores;
}

function weightOf({ fields }: EntityDocument, term: string, average: readonly number[]): number {
  let sum = 0;
  for (const [at, weight] of FIELD_WEIGHTS.entries()) {
    const field = fields[at];
    const count = field?.counts.get(term);
    if (field === undefined || count === undefined) continue;
    const relative = field.length / (average[at] || 1);
    sum += (weight * count) / (1 - B + B * relative);
  }
  return sum;
}
