import type { Entity } from "./entity.ts";

/**
 * The parts of an entity's key in order: two or more `key_vars`, else the id_field alone
 * (catalog format, section 5; LANG-028).
 */
export function keyParts(entity: Entity): readonly string[] {
  return entity.keyVars.length >= 2 ? entity.keyVars : [entity.idField];
}
