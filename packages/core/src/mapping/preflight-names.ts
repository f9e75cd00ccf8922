import type { Capability } from "../schema/capability.ts";
import type { Cgs } from "../schema/cgs.ts";

/** The names that the preflight steps of a capability put into its environment (RUN-104). */
export function preflightNames(cgs: Cgs, capability: Capability): readonly string[] {
  return capability.preflight.flatMap((step) => {
    switch (step.kind) {
      case "hydrate_invoke_target": {
        const fields = cgs.entities.get(capability.entity)?.fields.keys() ?? [];
        return [...fields].map((field) => `${step.prefix}_${field}`);
      }
      case "hydrate_entity_ref_param":
      case "query_pick":
        return [...step.merge.keys()];
      case "label_ids_delta":
        return [step.merge];
    }
  });
}
