import { canBeSeed } from "../schema/can-be-seed.ts";
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
  return namesOf(catalogs, exposed).get(name) ?? [];
}

type Names = ReadonlyMap<string, readonly EntityKey[]>;

/** A session's entities do not change, and each name of a program is looked up among all of them. */
const known = new WeakMap<readonly EntityKey[], { catalogs: CatalogSet; names: Names }>();

function namesOf(catalogs: CatalogSet, exposed: readonly EntityKey[]): Names {
  const before = known.get(exposed);
  if (before?.catalogs === catalogs) return before.names;
  const names = new Map<string, EntityKey[]>();
  for (const key of exposed) {
    for (const name of answersOf(catalogs, key)) {
      const keys = names.get(name);
      if (keys === undefined) names.set(name, [key]);
      else keys.push(key);
    }
  }
  known.set(exposed, { catalogs, names });
  return names;
}

/** All names an entity answers to, each once. */
function answersOf(catalogs: CatalogSet, key: EntityKey): ReadonlySet<string> {
  const bare = [key.entity, ...entityOf(catalogs, key).aliases];
  return new Set(bare.flatMap((name) => [name, `${key.entryId}.${name}`]));
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
  const taken = new Set(exposed.map(entityId));
  return [...catalogs.entries()]
    .flatMap(([entryId, catalog]) =>
      [...catalog.cgs.entities.values()]
        .filter((entity) => canBeSeed(catalog.cgs, entity))
        .map((entity) => ({ entryId, entity: entity.name })),
    )
    .filter((key) => !taken.has(entityId(key)) && answersOf(catalogs, key).has(name))
    .toSorted((a, b) => compareCodePoints(entityId(a), entityId(b)));
}
