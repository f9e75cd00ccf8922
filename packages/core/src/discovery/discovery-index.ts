import type { Catalog } from "../mapping/catalog.ts";
import { canRun } from "../policy/can-run.ts";
import type { Features } from "../policy/features.ts";
import { mayCall } from "../policy/may-use.ts";
import type { Policy } from "../policy/policy.ts";
import type { Capability } from "../schema/capability.ts";
import { entityDocuments, type EntityDocument } from "./entity-document.ts";

/** How many views of one catalog are kept: callers differ in what they may use. */
const MOST_VIEWS = 16;

const views = new WeakMap<Catalog, Map<string, readonly EntityDocument[]>>();

/**
 * The documents of a catalog as a caller sees it: only capabilities that policy permits and the engine
 * runs leave any trace (TEACH-36). A catalog is frozen, so each view of it is indexed once.
 */
export function indexedDocuments(
  catalog: Catalog,
  policy: Policy,
  features: Features,
): readonly EntityDocument[] {
  const isUsable = (capability: Capability): boolean =>
    mayCall(policy, catalog, capability) && canRun(features, catalog, capability);
  const hidden = [...catalog.cgs.capabilities.values()].filter((each) => !isUsable(each));
  const view = hidden.map(({ name }) => name).join(" ");
  const known = views.get(catalog) ?? new Map<string, readonly EntityDocument[]>();
  const found = known.get(view);
  if (found !== undefined) return found;
  const documents = entityDocuments(catalog, isUsable);
  if (known.size >= MOST_VIEWS) known.clear();
  known.set(view, documents);
  views.set(catalog, known);
  return documents;
}
