import type { Cgs } from "./cgs.ts";
import type { Entity } from "./entity.ts";

/** The entity of this name or alias; aliases are unique and no entity's name (CAT-042). */
export function findEntity(cgs: Cgs, nameOrAlias: string): Entity | undefined {
  const named = cgs.entities.get(nameOrAlias);
  if (named !== undefined) return named;
  for (const entity of cgs.entities.values()) {
    if (entity.aliases.includes(nameOrAlias)) return entity;
  }
  return undefined;
}
