import { compareCodePoints } from "../text/compare-code-points.ts";
import type { EntityDocument } from "./entity-document.ts";

export interface ScoredDocument {
  readonly document: EntityDocument;
  readonly score: number;
}

/** A catalog is shown before any second row if its best score reaches this share of the top one. */
const QUALIFYING_SHARE = 0.4;

/**
 * The order of TEACH-38: by score, then api, then entity, zero scores left out; but the best row of
 * each catalog that comes near the top goes first, so that every such catalog is seen.
 */
export function rankDocuments(scored: readonly ScoredDocument[]): readonly ScoredDocument[] {
  const ranked = scored.filter(({ score }) => score > 0).toSorted(compare);
  const top = ranked[0]?.score ?? 0;
  const seen = new Set<string>();
  const first = ranked.filter(({ document, score }) => {
    if (seen.has(document.api)) return false;
    seen.add(document.api);
    return score >= top * QUALIFYING_SHARE;
  });
  return [...first, ...ranked.filter((row) => !first.includes(row))];
}

function compare(a: ScoredDocument, b: ScoredDocument): number {
  return (
    b.score - a.score ||
    compareCodePoints(a.document.api, b.document.api) ||
    compareCodePoints(a.document.entity.name, b.document.entity.name)
  );
}
