import type { Capability } from "../schema/capability.ts";
import type { Policy } from "../policy/policy.ts";
import type { CheckContext } from "./check-context.ts";

/**
 * Whether a capability may be used: `denied` if policy forbids what was taught, `unknown` if it was
 * never taught (errors specification, section 3; SURF-25).
 */
export type Access = "allowed" | "denied" | "unknown";

export function accessTo(context: CheckContext, entryId: string, capability: Capability): Access {
  if (allows(context.exposure.policy, entryId, capability)) return "allowed";
  return context.untaught.has(`${entryId}/${capability.name}`) ? "unknown" : "denied";
}

function allows(policy: Policy, entryId: string, capability: Capability): boolean {
  if (policy.apis === undefined) return true;
  const api = policy.apis[entryId];
  if (api === undefined) return false;
  if (api.deny?.includes(capability.name) === true) return false;
  return api.effects !== false || isRead(capability);
}

function isRead(capability: Capability): boolean {
  switch (capability.kind) {
    case "query":
    case "search":
    case "get":
      return true;
    case "create":
    case "update":
    case "delete":
    case "action":
      return false;
  }
}
