import { compareCodePoints } from "../text/compare-code-points.ts";
import type { Capability } from "./capability.ts";
import type { Cgs } from "./cgs.ts";

/** The capabilities of an entity, by name. */
export function capabilitiesOf(cgs: Cgs, entity: string): readonly Capability[] {
  return [...cgs.capabilities.values()]
    .filter((capability) => capability.entity === entity)
    .sort((a, b) => compareCodePoints(a.name, b.name));
}

/** The capability of an entity that programs call by this label; labels are unique (CAT-071). */
export function capabilityByLabel(
  cgs: Cgs,
  entity: string,
  label: string,
): Capability | undefined {
  for (const capability of cgs.capabilities.values()) {
    if (capability.entity === entity && capability.label === label) return capability;
  }
  return undefined;
}
