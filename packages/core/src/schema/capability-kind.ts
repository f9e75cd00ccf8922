import type { CapabilityKind } from "./capability.ts";

/** Whether a capability changes something (LANG-070). */
export function isEffect(kind: CapabilityKind): boolean {
  return kind === "create" || kind === "update" || kind === "delete" || kind === "action";
}

/** Whether a capability answers a collection. */
export function isList(kind: CapabilityKind): boolean {
  return kind === "query" || kind === "search";
}

/** A kind as messages say it: `a get`, `an update`. */
export function oneOfKind(kind: CapabilityKind): string {
  return /^[au]/.test(kind) ? `an ${kind}` : `a ${kind}`;
}
