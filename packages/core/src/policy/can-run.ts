import type { Catalog } from "../mapping/catalog.ts";
import type { Template } from "../mapping/template.ts";
import { oncePerCapability } from "../mapping/once-per-capability.ts";
import { wholeCapability } from "../mapping/view-of.ts";
import type { Capability } from "../schema/capability.ts";
import { takesUnion } from "../schema/union-input.ts";
import type { Features } from "./features.ts";
import { effectKind } from "./may-use.ts";

type Runs = (catalog: Catalog, capability: Capability) => boolean;

const byFeatures = new WeakMap<Features, Runs>();

/** What an engine with these features runs: as frozen as they are, so that each answer stands. */
function runsWith(features: Features): Runs {
  const known = byFeatures.get(features);
  if (known !== undefined) return known;
  const runs = oncePerCapability((catalog, capability) =>
    wholeCapability(catalog, capability).every((each) => runsAlone(features, catalog, each)),
  );
  byFeatures.set(features, runs);
  return runs;
}

/**
 * Whether an engine with these features can run a capability, by its kind and its transport; a view only
 * with all that it is made of.
 */
export const canRun = (features: Features, catalog: Catalog, capability: Capability): boolean =>
  runsWith(features)(catalog, capability);

function runsAlone(features: Features, catalog: Catalog, capability: Capability): boolean {
  const template = catalog.cml.get(capability.name);
  if (template === undefined || !runsTransport(features, template)) return false;
  if (takesUnion(capability) && !features.unions) return false;
  if (effectKind(capability.kind) !== null) return features.effects;
  return capability.kind !== "search" || features.search;
}

function runsTransport(features: Features, template: Template): boolean {
  switch (template.transport) {
    case "http":
      return true;
    case "graphql":
      return features.graphql;
    case "view":
      return features.views;
    case "evm_call":
    case "evm_logs":
      return features.evm;
  }
}
