import type { Catalog, Entity, JsonObject } from "@plasm/core";
import type { EntityRow, Identity } from "../decode/entity-row.ts";

/** A row of which only the key is known. */
export function keyRow(
  catalog: Catalog,
  entity: Entity,
  identity: Identity,
  ambient: JsonObject,
): EntityRow {
  return {
    entryId: catalog.entryId,
    entity: entity.name,
    identity,
    ambient: { ...ambient, ...identity.key },
    fields: new Map(Object.entries(identity.key)),
    references: new Map(),
    edges: new Map(),
    loadedBy: new Set(),
    wire: null,
  };
}
