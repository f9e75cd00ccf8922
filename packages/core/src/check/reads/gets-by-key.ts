import { catalogOf, type EntityKey, entityOf } from "../../catalog/federation.ts";
import { capabilitySlots } from "../../mapping/capability-slots.ts";
import { bestGet } from "../../model/lookups.ts";
import type { Capability } from "../../model/model.ts";
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

/** The get for an identity, the best that fills the wanted fields (RUN-042); null if there is none. */
export function getByKey(
  rules: AccessRules,
  entity: EntityKey,
  wanted: Iterable<string>,
): Capability | null {
  const owner = entityOf(rules.exposure.catalogs, entity);
  return bestGet(getsByKey(rules, entity), owner, [...wanted]);
}
