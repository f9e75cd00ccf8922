import type { Catalog } from "../mapping/catalog.ts";
import { canRun } from "../policy/can-run.ts";
import type { Features } from "../policy/features.ts";
import { mayCall } from "../policy/may-use.ts";
import type { Policy } from "../policy/policy.ts";
import type { Capability } from "../schema/capability.ts";
import { catalogIndex, type CatalogIndex } from "./catalog-index.ts";

/** How many views of one catalog are kept: callers differ in what they may use. */
const MOST_VIEWS = 16;

const views = new WeakMap<Catalog, Map<string, CatalogIndex>>();

/**
 * The index of a catalog as a caller sees it: only capabilities that policy permits and the engine runs
 * leave any trace (TEACH-36). A catalog is frozen, so each view of it is indexed once.
 */
export function discoveryIndex(catalog: Catalog, policy: Policy, features: Features): CatalogIndex {
  const isUsable = (capability: Capability): boolean =>
    mayCall(policy, catalog, capability) && canRun(features, catalog, capability);
  const hidden = [...catalog.cgs.capabilities.values()].filter((each) => !isUsable(each));
  const view = hidden.map(({ name }) => name).join(" ");
  const known = views.get(catalog) ?? new Map<string, CatalogIndex>();
  const found = known.get(view);
  if (found !== undefined) return found;
  const index = catalogIndex(catalog, isUsable);
  if (known.size >= MOST_VIEWS) known.clear();
  known.set(view, index);
  views.set(catalog, known);
  return index;
}
