import type { KeyPath } from "../../load/key-path.ts";
import type { Capability } from "../../schema/capability.ts";
import { isEffect, isList, oneOfKind } from "../../schema/capability-kind.ts";
import type { PreflightStep } from "../../schema/preflight.ts";
import type { Rule, RuleContext } from "../rule.ts";

/** CAT-140: steps stand on writes and read with fitting capabilities; CAT-005 for unknown ones. */
export const preflightRule: Rule = (context) => {
  for (const capability of context.catalog.cgs.capabilities.values()) {
    if (capability.preflight.length === 0) continue;
    const path = ["capabilities", capability.name, "preflight"];
    if (!isEffect(capability.kind)) {
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
