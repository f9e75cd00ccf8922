import type { EntityKey } from "../federation/entity-key.ts";
import { resolveEntity } from "../federation/resolve-entity.ts";
import type { Exposure } from "./exposure.ts";

/**
 * The entities a name of a program may mean. In the notation `names` a table taught the first one by
 * its name and writes every later one as its symbol (TEACH-26), so the name goes on to mean the first:
 * what was taught never changes. In symbols a name that two catalogs share is ambiguous (TEACH-10).
 */
export function entitiesNamed(
  { catalogs, symbols, notation }: Pick<Exposure, "catalogs" | "symbols" | "notation">,
  name: string,
): readonly EntityKey[] {
  const keys = resolveEntity(catalogs, symbols.entities, name);
  return notation === "names" ? keys.slice(0, 1) : keys;
}
