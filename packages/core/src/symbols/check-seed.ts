import { canBeSeed } from "../schema/can-be-seed.ts";
import type { Catalog } from "../mapping/catalog.ts";
import { findEntity } from "../schema/find-entity.ts";
import { nearestNames } from "../diagnostics/nearest-name.ts";
import { compareCodePoints } from "../text/compare-code-points.ts";

/** What a seed's entity name means in its catalog. */
export type CheckedSeed =
  | { readonly kind: "entity"; readonly entity: string }
  /** unknown or abstract: it fails its whole call (TEACH-7) */
  | {
      readonly kind: "unknown";
      readonly nearest: readonly string[];
      /** entities that may be seeds, sorted */
      readonly known: readonly string[];
    };

/** Finds the entity a seed names, by name or alias; abstract ones are no seeds (TEACH-7). */
export function checkSeed(catalog: Catalog, name: string): CheckedSeed {
  const found = findEntity(catalog.cgs, name);
  if (found !== undefined && canBeSeed(catalog.cgs, found))
    return { kind: "entity", entity: found.name };
  const known = [...catalog.cgs.entities.values()]
    .filter((entity) => canBeSeed(catalog.cgs, entity))
    .map((entity) => entity.name)
    .toSorted(compareCodePoints);
  return { kind: "unknown", nearest: nearestNames(name, known), known };
}
