import type { Entity } from "./entity.ts";

/**
 * The names of an entity's key parts, in order: `key_vars` if there are two or more, else the id
 * field alone (RUN-011, LANG-028).
 */
export function keyParts(entity: Entity): readonly string[] {
  return entity.keyVars.length > 1 ? entity.keyVars : [entity.idField];
}
