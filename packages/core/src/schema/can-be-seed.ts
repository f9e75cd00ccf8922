import { capabilitiesByLabel } from "./capabilities-by-label.ts";
import type { Cgs } from "./cgs.ts";
import type { Entity } from "./entity.ts";

const targets = new WeakMap<Cgs, ReadonlySet<string>>();

/** The entities that a relation leads to; indexed once per graph. */
function relationTargets(cgs: Cgs): ReadonlySet<string> {
  let found = targets.get(cgs);
  if (found === undefined) {
    const all = [...cgs.entities.values()].flatMap(({ relations }) => [...relations.values()]);
    found = new Set(all.map(({ target }) => target));
    targets.set(cgs, found);
  }
  return found;
}

/**
 * Whether an entity may be asked for by name: each that is not abstract, and an abstract one whose rows can be
 * had, by a capability of its own or through a relation (17.14, TEACH-7). Discovery offers no abstract ones.
 */
export function canBeSeed(cgs: Cgs, entity: Entity): boolean {
  if (!entity.abstract) return true;
  return capabilitiesByLabel(cgs, entity.name).length > 0 || relationTargets(cgs).has(entity.name);
}
