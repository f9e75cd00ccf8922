import { catalogOf, type EntityKey, entityOf } from "../../catalog/federation.ts";
import { capabilitySlots } from "../../mapping/capability-slots.ts";
import type { Capability, Entity } from "../../model/model.ts";
import { compareCodePoints } from "../../base/text.ts";
import { type AccessRules, usableCapabilities } from "../access.ts";

/** The usable gets whose required variables the identity alone binds (RUN-042), by name. */
export function getsByKey(rules: AccessRules, entity: EntityKey): readonly Capability[] {
  const catalog = catalogOf(rules.exposure.catalogs, entity.entryId);
  return usableCapabilities(rules, entity)
    .filter((capability) => capability.kind === "get" && capability.needsIdentity)
    .filter((capability) => {
      return capabilitySlots(catalog, capability).slots.every((slot) => !slot.required);
    })
    .toSorted((a, b) => compareCodePoints(a.name, b.name));
}

/**
 * The get for an identity (RUN-042): the one that fills most wanted fields, then the entity's
 * `primary_read`, then `<entity>_get`, then the first by name. Null if there is none.
 */
export function chooseGet(
  rules: AccessRules,
  entity: EntityKey,
  wanted: Iterable<string>,
): Capability | null {
  const { name, primaryRead } = entityOf(rules.exposure.catalogs, entity);
  const fields = [...wanted];
  const ranked = getsByKey(rules, entity).map((capability) => ({
    capability,
    rank: [
      fields.filter((field) => provides(capability, field)).length,
      capability.name === primaryRead ? 1 : 0,
      capability.name === `${name.toLowerCase()}_get` ? 1 : 0,
    ],
  }));
  const [best] = ranked.toSorted((a, b) => compareRanks(b.rank, a.rank));
  return best?.capability ?? null;
}

/** Whether a read fills a field: reads that declare nothing fill all (catalog format, section 7). */
export function provides(capability: Capability, field: string): boolean {
  const declared = capability.provides ?? [];
  return declared.length === 0 || declared.includes(field);
}

/**
 * Whether a get may fill a name though what it declares does not have it: the rows of a relation, or its
 * reference, stand in the row itself, whichever get reads that (RUN-036, RUN-037, RUN-050).
 */
export function mayHold({ relations }: Entity, name: string): boolean {
  const relation = relations.get(name);
  if (relation === undefined) return false;
  if (relation.materialize?.kind === "from_parent_get") return true;
  return relation.cardinality === "one" && relation.materialize === undefined;
}

function compareRanks(a: readonly number[], b: readonly number[]): number {
  for (const [at, rank] of a.entries()) {
    const difference = rank - (b[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
