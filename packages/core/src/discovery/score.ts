import {
  type CatalogIndex,
  type EntityDocument,
  FIELD_WEIGHTS,
  type Posting,
} from "./index-catalogs.ts";
import type { IntentTerm } from "./read-intent.ts";
import { compareCodePoints } from "../base/text.ts";

const K1 = 1.2;
const B = 0.4;

/** What an intent says of a document by each of its words, by the number of the word. */
export type WordScores = ReadonlyMap<number, number>;

/**
 * What each word of an intent says of each document that holds a term for it (TEACH-37): the rarity of the term, times the best field
 * that holds it, by the weight of the field, saturated by how often it is there and how long the field is. Other fields that hold it
 * add a part of what they say.
 */
export function scoreDocuments(
  indexes: readonly CatalogIndex[],
  terms: readonly IntentTerm[],
  partOfOthers: number,
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
      const { best, others } = whatFieldsSay(posting, average);
      const score = weight * rarity * (best + partOfOthers * others);
      const words = scores.get(posting.document) ?? new Map<number, number>();
      words.set(word, Math.max(words.get(word) ?? 0, score));
      scores.set(posting.document, words);
    }
  }
  return scores;
}

/** What the field says that says most of a term, and the others together: a word in a name and in a description is one word. */
function whatFieldsSay(
  { document, counts }: Posting,
  average: readonly number[],
): { readonly best: number; readonly others: number } {
  let [best, all] = [0, 0];
  for (const [field, weight] of FIELD_WEIGHTS.entries()) {
    const count = counts[field] ?? 0;
    if (count === 0) continue;
    const relative = (document.fields[field]?.length ?? 0) / (average[field] || 1);
    const says = (weight * count) / (count + K1 * (1 - B + B * relative));
    best = Math.max(best, says);
    all += says;
  }
  return { best, others: all - best };
}

/** An entity with its score for an intent. */
export interface ScoredDocument {
  readonly document: EntityDocument;
  readonly score: number;
  /** what each word of the intent adds to it */
  readonly words: WordScores;
  /** whether its own name is told whole, and as no part of a longer one */
  readonly isNamed: boolean;
}

/** The sum of what words add. */
export const sumOf = (words: WordScores): number =>
  [...words.values()].reduce((sum, each) => sum + each, 0);

/** A catalog is shown before any second row if its best score reaches this share of the top one. */
const QUALIFYING_SHARE = 0.7;

/** What is left of a word for later rows, once a row tells all there is of it. */
const LEFT_OF_TOLD = 0.2;

/** So many rows are dealt word by word, as many as one answer shows; the rest goes by score. */
const MOST_DEALT = 32;

/**
 * The order of TEACH-38: one row of each catalog that comes near the top goes first, so that every such
 * catalog is seen. Among those, and among the rest, the next row is the one with the highest score for
 * what the rows before it left untold, then by api and entity: a sentence of several needs has rows for
 * each before second rows for one. Zero scores are left out.
 */
export function rankDocuments(scored: readonly ScoredDocument[]): readonly ScoredDocument[] {
  const left = new Set(scored.filter(({ score }) => score > 0).toSorted(compare));
  const ranked = [...left];
  const least = (ranked[0]?.score ?? 0) * QUALIFYING_SHARE;
  const unseen = new Set(
    ranked.filter(({ score }) => score >= least).map(({ document }) => document.api),
  );
  const untold = untoldWords(ranked);
  const dealt: ScoredDocument[] = [];
  while (left.size > 0 && dealt.length < MOST_DEALT) {
    const rows = [...left].filter(({ document }) => unseen.size === 0 || unseen.has(document.api));
    const next = highest(rows, untold.scoreOf);
    if (next === undefined) break;
    dealt.push(next);
    left.delete(next);
    unseen.delete(next.document.api);
    untold.tell(next);
  }
  return [...dealt, ...left];
}

/** Keeps how much of each word the rows dealt so far tell, as a share of the most that a row tells. */
function untoldWords(rows: readonly ScoredDocument[]): {
  readonly scoreOf: (row: ScoredDocument) => number;
  readonly tell: (row: ScoredDocument) => void;
} {
  const most = new Map<number, number>();
  for (const { words } of rows) {
    for (const [word, score] of words) most.set(word, Math.max(most.get(word) ?? 0, score));
  }
  const told = new Map<number, number>();
  return {
    scoreOf: ({ score, words }) => {
      let [whole, open] = [0, 0];
      for (const [word, part] of words) {
        whole += part;
        open += part * (1 - (1 - LEFT_OF_TOLD) * (told.get(word) ?? 0));
      }
      return whole === 0 ? 0 : (score * open) / whole;
    },
    tell: ({ words }) => {
      for (const [word, part] of words) {
        told.set(word, Math.max(told.get(word) ?? 0, part / (most.get(word) || 1)));
      }
    },
  };
}

/** The first of the rows with the highest score. */
function highest(
  rows: readonly ScoredDocument[],
  scoreOf: (row: ScoredDocument) => number,
): ScoredDocument | undefined {
  let best: { readonly row: ScoredDocument; readonly score: number } | undefined;
  for (const row of rows) {
    const score = scoreOf(row);
    if (best === undefined || score > best.score) best = { row, score };
  }
  return best?.row;
}

function compare(a: ScoredDocument, b: ScoredDocument): number {
  return (
    b.score - a.score ||
    compareCodePoints(a.document.api, b.document.api) ||
    compareCodePoints(a.document.entity.name, b.document.entity.name)
  );
}
