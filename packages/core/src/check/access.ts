import { catalogOf, type EntityKey } from "../catalog/federation.ts";
import { canRun, changesData, mayCall } from "../policy/may-use.ts";
import type { Features } from "../policy/policy.ts";
import { capabilitiesByLabel } from "../model/lookups.ts";
import type { Capability } from "../model/model.ts";
import type { Exposure } from "../symbols/exposure.ts";

/** What decides which capabilities a program may use. */
export interface AccessRules {
  readonly exposure: Exposure;
  /** what this engine can run */
  readonly features: Features;
  /** capabilities that were never taught for policy's sake, as `entry_id/capability` (TEACH-24) */
  readonly untaught: ReadonlySet<string>;
}

/**
 * Whether a capability may be used: `denied` if policy forbids what was taught, `hidden` if it was
 * never taught, `read_only` if it changes data and the session only reads, `unable` if this engine
 * cannot run it (SURF-25, TEACH-24, TEACH-25). What policy hides stays hidden in any session (SURF-26).
 */
export type Access = "allowed" | "denied" | "hidden" | "read_only" | "unable";

export function accessTo(rules: AccessRules, entryId: string, capability: Capability): Access {
  const catalog = catalogOf(rules.exposure.catalogs, entryId);
  if (!mayCall(rules.exposure.policy, catalog, capability)) {
    return rules.untaught.has(`${entryId}/${capability.name}`) ? "hidden" : "denied";
  }
  if (rules.exposure.readOnly === true && changesData(catalog, capability)) return "read_only";
  return canRun(rules.features, catalog, capability) ? "allowed" : "unable";
}

/** The capabilities of some kinds that were taught and are forbidden since. */
export function deniedCapabilities(
  rules: AccessRules,
  key: EntityKey,
  kinds: readonly Capability["kind"][],
): readonly Capability[] {
  const { cgs } = catalogOf(rules.exposure.catalogs, key.entryId);
  return capabilitiesByLabel(cgs, key.entity).filter(
    (capability) =>
      kinds.includes(capability.kind) && accessTo(rules, key.entryId, capability) === "denied",
  );
}

/** The first of them, or null. */
export const deniedCapability = (
  rules: AccessRules,
  key: EntityKey,
  kinds: readonly Capability["kind"][],
): Capability | null => deniedCapabilities(rules, key, kinds)[0] ?? null;

/** The capabilities of an entity that may be used, by label. */
export function usableCapabilities(rules: AccessRules, key: EntityKey): readonly Capability[] {
  const { cgs } = catalogOf(rules.exposure.catalogs, key.entryId);
  return capabilitiesByLabel(cgs, key.entity).filter(
    (capability) => accessTo(rules, key.entryId, capability) === "allowed",
  );
}
