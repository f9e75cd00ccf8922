import { compareCodePoints } from "../text/compare-code-points.ts";
import type { CatalogSet } from "./catalog-set.ts";
import type { EntityKey } from "./entity-key.ts";
import { entityId, entityOf } from "./entity-of.ts";

/**
 * The exposed entities a wire name means, in exposure order: by name or alias, bare or with its
 * catalog as `entry_id.Entity`. More than one is an ambiguity, none an unknown name (TEACH-10).
 */
export function resolveEntity(
  catalogs: CatalogSet,
  exposed: readonly EntityKey[],
  name: string,
): readonly EntityKey[] {
  return exposed.filter((key) => answersTo(catalogs, key, name));
}

/**
 * Entities of the session's catalogs with this name or alias that are not exposed though they could
 * be seeds, by entry id, then name: what `not_exposed` offers (LANG-020).
 */
export function unexposedEntities(
  catalogs: CatalogSet,
  exposed: readonly EntityKey[],
  name: string,
): readonly EntityKey[] {
  const known = new Set(exposed.map(entityId));
  return [...catalogs.entries()]
    .flatMap(([entryId, catalog]) =>
      [...catalog.cgs.entities.values()]
        .filter((entity) => !entity.abstract)
        .map((entity) => ({ entryId, entity: entity.name })),
    )
    .filter((key) => !known.has(entityId(key)) && answersTo(catalogs, key, name))
    .toSorted((a, b) => compareCodePoints(entityId(a), entityId(b)));
}

function answersTo(catalogs: CatalogSet, key: EntityKey, name: string): boolean {
  const prefix = `${key.entryId}.`;
  const bare = name.startsWith(prefix) ? name.slice(prefix.length) : name;
  return key.entity === bare || entityOf(catalogs, key).aliases.includes(bare);
}
