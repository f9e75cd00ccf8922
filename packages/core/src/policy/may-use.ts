import type { Catalog } from "../mapping/catalog.ts";
import type { DroppedPart } from "../mapping/dropped-part.ts";
import { wholeCapability } from "../mapping/view-of.ts";
import type { Capability } from "../schema/capability.ts";
import type { ApiPolicy, EffectKind, Policy } from "./policy.ts";

/** Whether a tenant may use a catalog: without `apis` all, else those named (SURF-25). */
export function mayUseApi(policy: Policy, entryId: string): boolean {
  return policy.apis === undefined || Object.hasOwn(policy.apis, entryId);
}

/**
 * Whether a tenant may use a capability: its catalog is permitted, `deny` does not name it, and
 * `effects: false` does not forbid its kind (SURF-25).
 */
export function mayUseCapability(
  policy: Policy,
  entryId: string,
  capability: Pick<Capability, "name" | "kind">,
): boolean {
  if (!mayUseApi(policy, entryId)) return false;
  const api: ApiPolicy = policy.apis?.[entryId] ?? {};
  if (api.deny?.includes(capability.name) === true) return false;
  return api.effects !== false || effectKind(capability.kind) === null;
}

/**
 * Whether a tenant may call a capability: a view only with all reads that it is made of, so that it
 * shows nothing that `deny` hides (SURF-25).
 */
export function mayCall(policy: Policy, catalog: Catalog, capability: Capability): boolean {
  return wholeCapability(catalog, capability).every((each) =>
    mayUseCapability(policy, catalog.entryId, each),
  );
}

/**
 * What was left out of a catalog when it was loaded, as far as a tenant may know of it: a capability whose kind
 * cannot be read counts as an action (SURF-26).
 */
export const shownDropped = (policy: Policy, catalog: Catalog): readonly DroppedPart[] =>
  (catalog.dropped ?? []).filter(
    ({ kind, name, does }) =>
      kind !== "capability" ||
      mayUseCapability(policy, catalog.entryId, { name, kind: does ?? "action" }),
  );

/** Whether a call of a capability changes data: no session that only reads takes it (TEACH-25). */
export function changesData(catalog: Catalog, capability: Capability): boolean {
  return wholeCapability(catalog, capability).some(({ kind }) => effectKind(kind) !== null);
}

/** The effect a kind of capability has, or null for reads (LANG-070). */
export function effectKind(kind: Capability["kind"]): EffectKind | null {
  switch (kind) {
    case "query":
    case "search":
    case "get":
      return null;
    case "create":
    case "update":
    case "delete":
    case "action":
      return kind;
  }
}
