import type { KeyPath } from "../../load/key-path.ts";
import type { PreflightStep } from "../../schema/preflight.ts";
import type { Rule } from "../rule.ts";

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
