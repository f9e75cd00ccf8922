import type { Capability } from "./capability.ts";
import { capabilitiesByLabel } from "./capabilities-by-label.ts";
import type { Cgs } from "./cgs.ts";
import { compareCodePoints } from "../text/compare-code-points.ts";

/** The capabilities of an entity, by name. */
export function capabilitiesOf(cgs: Cgs, entity: string): readonly Capability[] {
  return capabilitiesByLabel(cgs, entity).toSorted((a, b) => compareCodePoints(a.name, b.name));
}

/** The capability of an entity that programs call by this label; labels are unique (CAT-071). */
export function capabilityByLabel(cgs: Cgs, entity: string, label: string): Capability | undefined {
  return capabilitiesByLabel(cgs, entity).find((capability) => capability.label === label);
}
