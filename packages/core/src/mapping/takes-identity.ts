import type { Capability } from "../schema/capability.ts";

/** Whether a capability is called on a row, whose identity is then part of its environment (RUN-010). */
export function takesIdentity(capability: Capability): boolean {
  return capability.needsIdentity;
}
