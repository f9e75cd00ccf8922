import type { KeyPath } from "../key-path.ts";
import {
  type Capability,
  isEffectKind,
  isList,
  oneOfKind,
  type PreflightStep,
} from "../../model/model.ts";
import type { Rule, RuleContext } from "./rule.ts";

/** CAT-140: steps stand on writes and read with fitting capabilities; CAT-005 for unknown ones. */
export const preflightRule: Rule = (context) => {
  for (const capability of context.catalog.cgs.capabilities.values()) {
    if (capability.preflight.length === 0) continue;
    const path = ["capabilities", capability.name, "preflight"];
    if (!isEffectKind(capability.kind)) {
      context.inDomain.atKey(path, "CAT140", "read", { kind: capability.kind });
      continue;
    }
    if (context.inDomain.faulty(path)) continue;
    capability.preflight.forEach((step, at) => {
      checkStep(context, capability, step, [...path, at]);
    });
  }
};

function checkStep(
  context: RuleContext,
  capability: Capability,
  step: PreflightStep,
  path: KeyPath,
): void {
  switch (step.kind) {
    case "hydrate_invoke_target": {
      if (capability.kind === "create") {
        context.inDomain.atValue([...path, "kind"], "CAT140", "create", {});
        return;
      }
      const get = readBy(context, step.get, [...path, "get"], "get");
      if (get === undefined || get.entity === capability.entity) return;
      const params = { found: step.get, other: get.entity, entity: capability.entity };
      context.inDomain.atValue([...path, "get"], "CAT140", "target", params);
      return;
    }
    case "hydrate_entity_ref_param":
      readBy(context, step.get, [...path, "get"], "get");
      return;
    case "query_pick":
      readBy(context, step.query, [...path, "query"], "query");
      return;
    case "label_ids_delta":
      readBy(context, step.lookup, [...path, "lookup"], "lookup");
      return;
    case "function":
  }
}

/** The capability a step reads with, if it exists and fits. */
function readBy(
  { catalog, domain, inDomain }: RuleContext,
  found: string,
  path: KeyPath,
  key: "get" | "query" | "lookup",
): Capability | undefined {
  const capability = catalog.cgs.capabilities.get(found);
  if (capability === undefined) {
    if (inDomain.has(["capabilities", found])) return undefined;
    inDomain.unknown(path, "capability", found, domain.capabilities.keys());
    return undefined;
  }
  const fits = key === "get" ? capability.kind === "get" : isList(capability.kind);
  if (fits) return capability;
  const allowed = key === "get" ? "a get" : "a query or search";
  inDomain.atValue(path, "CAT140", "kind", {
    found,
    kind: oneOfKind(capability.kind),
    key,
    allowed,
  });
  return undefined;
}

/** CAT-142: merged names are there, unique per capability, and not the engine's. */
export const preflightMergeRule: Rule = ({ catalog, inDomain }) => {
  for (const capability of catalog.cgs.capabilities.values()) {
    const seen = new Map<string, string>();
    capability.preflight.forEach((step, at) => {
      const path = ["capabilities", capability.name, "preflight", at, "merge"];
      if (inDomain.faulty(path)) return;
      const merged = mergedNames(step);
      if (merged?.length === 0) inDomain.atValue(path, "CAT142", "empty", {});
      for (const found of merged ?? []) {
        const own: KeyPath = step.kind === "label_ids_delta" ? path : [...path, found];
        const first = seen.get(found);
        if (found.startsWith("plasm")) inDomain.atKey(own, "CAT142", "reserved", { found });
        else if (first !== undefined) inDomain.atKey(own, "CAT142", "again", { found, first });
        else seen.set(found, inDomain.position(own));
      }
    });
  }
};

function mergedNames(step: PreflightStep): readonly string[] | undefined {
  switch (step.kind) {
    case "hydrate_invoke_target":
      return undefined;
    case "hydrate_entity_ref_param":
    case "query_pick":
    case "function":
      return [...step.merge.keys()];
    case "label_ids_delta":
      return [step.merge];
  }
}
