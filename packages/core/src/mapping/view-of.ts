import type { Capability } from "../schema/capability.ts";
import type { View } from "../schema/view.ts";
import type { Catalog } from "./catalog.ts";
import { oncePerCapability } from "./once-per-capability.ts";

/** The view that a capability is mapped to, or null (MAP-050). */
export function viewOf(catalog: Catalog, capability: Pick<Capability, "name">): View | null {
  const template = catalog.cml.get(capability.name);
  if (template?.transport !== "view") return null;
  return catalog.cgs.views.get(template.view) ?? null;
}

const NONE: readonly Capability[] = Object.freeze([]);

/** The capabilities that a capability is made of: a view's nodes', each once, views within included. */
export function innerCapabilities(
  catalog: Catalog,
  capability: Pick<Capability, "name">,
): readonly Capability[] {
  if (viewOf(catalog, capability) === null) return NONE;
  const found = new Map<string, Capability>();
  const visit = (outer: Pick<Capability, "name">): void => {
    for (const node of viewOf(catalog, outer)?.nodes ?? []) {
      const inner = catalog.cgs.capabilities.get(node.capability);
      if (inner === undefined || found.has(inner.name)) continue;
      found.set(inner.name, inner);
      visit(inner);
    }
  };
  visit(capability);
  return [...found.values()];
}

/** A capability with all that it is made of, itself first. */
export const wholeCapability = oncePerCapability((catalog, capability): readonly Capability[] => [
  capability,
  ...innerCapabilities(catalog, capability),
]);
