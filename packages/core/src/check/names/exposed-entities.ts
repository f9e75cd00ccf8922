import type { EntityKey } from "../../federation/entity-key.ts";
import type { Catalog } from "../../mapping/catalog.ts";
import type { Entity } from "../../schema/entity.ts";
import type { Exposure } from "../../symbols/exposure.ts";
import { compareCodePoints } from "../../text/compare-code-points.ts";

/** The catalog of an entry id. Throws if the session does not hold it: names are bound before. */
export function catalogOf(exposure: Exposure, entryId: string): Catalog {
  const catalog = exposure.catalogs.get(entryId);
  if (catalog === undefined) throw new Error(`No catalog ${entryId} in this session.`);
  return catalog;
}

/** The entity of a key. Throws if it does not exist: names are bound before. */
export function entityOf(exposure: Exposure, key: EntityKey): Entity {
  const entity = catalogOf(exposure, key.entryId).cgs.entities.get(key.entity);
  if (entity === undefined) throw new Error(`No entity ${key.entryId}.${key.entity}.`);
  return entity;
}

/** Exposed entities with this wire name or alias, in `e#` order (TEACH-10). */
export function exposedByName(exposure: Exposure, name: string): readonly EntityKey[] {
  return exposure.symbols.entities.filter((key) => isCalled(exposure, key, name));
}

/** Entities of the session's catalogs with this name that are not exposed, but could be. */
export function unexposedByName(exposure: Exposure, name: string): readonly EntityKey[] {
  const found: EntityKey[] = [];
  for (const [entryId, catalog] of exposure.catalogs) {
    for (const entity of catalog.cgs.entities.values()) {
      const key = { entryId, entity: entity.name };
      if (entity.abstract || isExposed(exposure, key)) continue;
      if (isCalled(exposure, key, name)) found.push(key);
    }
  }
  return found.sort((a, b) => compareCodePoints(a.entryId, b.entryId));
}

export function isExposed(exposure: Exposure, key: EntityKey): boolean {
  return exposure.symbols.entities.some((entity) => sameEntity(entity, key));
}

export function sameEntity(a: EntityKey, b: EntityKey): boolean {
  return a.entryId === b.entryId && a.entity === b.entity;
}

function isCalled(exposure: Exposure, key: EntityKey, name: string): boolean {
  if (key.entity === name) return true;
  return entityOf(exposure, key).aliases.includes(name);
}
