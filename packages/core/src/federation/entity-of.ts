import type { Catalog } from "../mapping/catalog.ts";
import type { Entity } from "../schema/entity.ts";
import type { CatalogSet } from "./catalog-set.ts";
import type { EntityKey } from "./entity-key.ts";

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
