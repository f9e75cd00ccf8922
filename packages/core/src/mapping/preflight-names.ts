import type { Capability } from "../schema/capability.ts";
import type { Cgs } from "../schema/cgs.ts";
import type { PreflightStep } from "../schema/preflight.ts";

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
      case "function":
        return [...step.merge.keys()];
      case "label_ids_delta":
        return [step.merge];
    }
  });
}

/** The arguments that the preflight steps of a capability read: they are no part of `input` (RUN-013). */
export function preflightParameters(capability: Capability): readonly string[] {
  return capability.preflight.flatMap((step) => {
    switch (step.kind) {
      case "hydrate_invoke_target":
        return [];
      case "hydrate_entity_ref_param":
        return [step.param];
      case "query_pick": {
        const scopes = [...step.scope.values()];
        const scoped = scopes.flatMap((scope) => ("fromParam" in scope ? [scope.fromParam] : []));
        return [...(step.when === undefined ? [] : [step.when]), step.pick.equalsParam, ...scoped];
      }
      case "label_ids_delta":
        return [step.addWhen, step.removeWhen];
      case "function":
        return [...(step.when === undefined ? [] : [step.when]), ...step.params];
    }
  });
}

/** The capability that a preflight step reads by; null for a function, which does no I/O (RUN-105). */
export function preflightRead(step: PreflightStep): string | null {
  switch (step.kind) {
    case "hydrate_invoke_target":
    case "hydrate_entity_ref_param":
      return step.get;
    case "query_pick":
      return step.query;
    case "label_ids_delta":
      return step.lookup;
    case "function":
      return null;
  }
}
