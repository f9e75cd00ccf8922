import type { Capability } from "./capability.ts";
import { isEffect } from "./capability-kind.ts";
import type { Cgs } from "./cgs.ts";

/**
 * The fields (and relations) that a capability's response fills: its `provides`; without it all
 * fields for reads, none for writes (catalog format, section 7).
 */
export function providedFields(cgs: Cgs, capability: Capability): readonly string[] {
  if (capability.provides !== undefined) return capability.provides;
  if (isEffect(capability.kind)) return [];
  return [...(cgs.entities.get(capability.entity)?.fields.keys() ?? [])];
}
