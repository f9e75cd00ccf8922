import { canBeSeed } from "../model/lookups.ts";
import { compareCodePoints } from "../base/text.ts";
import type { Catalog } from "../mapping/template.ts";
import type { Entity } from "../model/model.ts";

/** What identifies an entity everywhere: its catalog and its name (SESS-21, RUN-001). */
export interface EntityKey {
  readonly entryId: string;
  readonly entity: string;
}

/** The catalogs of one session by entry id. Never merged: every look-up names its catalog (SESS-21). */
export type CatalogSet = ReadonlyMap<string, Catalog>;

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

/** The catalog of an entry id; throws if the set does not hold it. */
export function catalogOf(catalogs: CatalogSet, entryId: string): Catalog {
  const catalog = catalogs.get(entryId);
  if (catalog === undefined) throw new Error(`No catalog ${entryId} in this set.`);
  return catalog;
}

/** The entity of a key in its own catalog (SESS-21); throws if there is none. */
export function entityOf(catalogs: CatalogSet, key: EntityKey): Entity {
  const entity = catalogOf(catalogs, key.entryId).cgs.entities.get(key.entity);
  if (entity === undefined) throw new Error(`No entity ${key.entryId}.${key.entity}.`);
  return entity;
}

/** Whether two keys are one entity: equal catalog and equal name (SESS-21). */
export function sameEntity(a: EntityKey, b: EntityKey): boolean {
  return a.entryId === b.entryId && a.entity === b.entity;
}

/** An entity as text that no other entity has, for keys of maps. */
export function entityId(key: EntityKey): string {
  return `${key.entryId}\u0000${key.entity}`;
}
