import { compareCodePoints } from "../base/text.ts";
import type { Capability, Entity } from "./model.ts";

/** Whether a read fills a field or relation: one that declares nothing fills all (catalog format, section 7). */
export function provides(capability: Capability, name: string): boolean {
  const declared = capability.provides ?? [];
  return declared.length === 0 || declared.includes(name);
}

/**
 * Whether a get may fill a name though what it declares does not have it: the rows of a relation, or its
 * reference, stand in the row itself, whichever get reads that (RUN-036, RUN-037, RUN-050).
 */
export function mayHold({ relations }: Pick<Entity, "relations">, name: string): boolean {
  const relation = relations.get(name);
  if (relation === undefined) return false;
  if (relation.materialize?.kind === "from_parent_get") return true;
  return relation.cardinality === "one" && relation.materialize === undefined;
}

/**
 * Returns the get to read an entity by (RUN-042): of those that `isBetter` holds for, if there are any, the one that fills
 * most of the names, then the entity's `primary_read`, then `<entity>_get`, then the first by name. Null if there is none.
 */
export function bestGet(
  gets: readonly Capability[],
  { name, primaryRead }: Pick<Entity, "name" | "primaryRead">,
  names: readonly string[],
  isBetter: (get: Capability) => boolean = () => true,
): Capability | null {
  const ranked = gets
    .toSorted((a, b) => compareCodePoints(a.name, b.name))
    .map((get) => ({
      get,
      rank: [
        isBetter(get) ? 1 : 0,
        names.filter((each) => provides(get, each)).length,
        get.name === primaryRead ? 1 : 0,
        get.name === `${name.toLowerCase()}_get` ? 1 : 0,
      ],
    }));
  const [best] = ranked.toSorted((a, b) => compareRanks(b.rank, a.rank));
  return best?.get ?? null;
}

function compareRanks(a: readonly number[], b: readonly number[]): number {
  for (const [at, rank] of a.entries()) {
    const difference = rank - (b[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
