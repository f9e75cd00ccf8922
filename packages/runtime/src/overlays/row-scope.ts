import type { Capability, Catalog, Entity, JsonObject, ProjectedScope } from "@plasm/core";
import { tryTemplate } from "./overlay-template.ts";

/** What rows of a read are: their entity, and what its static fields hold. */
export interface RowScope {
  readonly entity: Entity;
  readonly statics: JsonObject | null;
}

/**
 * The entity that the rows of a read are decoded as (RUN-103): of an overlay's own capabilities its entity;
 * of a listed capability, the entity whose scope key the rows' ambient renders; else the capability's own.
 */
export function rowScope(catalog: Catalog, capability: Capability, ambient: JsonObject): RowScope {
  const scope = scopeOf(catalog, capability, ambient);
  const entity = catalog.cgs.entities.get(scope?.entity ?? capability.entity);
  if (entity === undefined) throw new Error(`no entity ${capability.entity}`);
  return { entity, statics: scope?.statics ?? null };
}

function scopeOf(
  { cgs, overlay }: Catalog,
  capability: Capability,
  ambient: JsonObject,
): ProjectedScope | undefined {
  const rule = cgs.overlay;
  if (overlay === undefined || rule === undefined) return undefined;
  const template = rule.entity.fromTemplate;
  if (capability.entity !== template) {
    return overlay.scopes.find(({ entity }) => entity === capability.entity);
  }
  const listed = rule.decode?.capabilities ?? [];
  if (rule.decode === undefined) return undefined;
  if (listed.length > 0 && !listed.includes(capability.name)) return undefined;
  const key = tryTemplate(rule.decode.scopeKey, { ambient });
  return "text" in key ? overlay.scopes.find((scope) => scope.key === key.text) : undefined;
}
