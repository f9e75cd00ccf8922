import type { Capability, Cgs, PreflightStep, View } from "../model/model.ts";
import type { Catalog } from "./template.ts";

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

/**
 * What a call answers with: rows of an entity of the catalog, free-form rows, or nothing but `ok`
 * (LANG-060, RUN-040).
 */
export type CallResult =
  | { readonly kind: "rows"; readonly card: "one" | "many"; readonly entity: string }
  | { readonly kind: "open" }
  | { readonly kind: "nothing" };

/** The result of calling a capability, by its kind and declared output (RUN-040). */
export function callResult(catalog: Catalog, capability: Capability): CallResult {
  switch (capability.kind) {
    case "query":
    case "search":
      return { kind: "rows", card: "many", entity: capability.entity };
    case "get":
      return { kind: "rows", card: "one", entity: capability.entity };
    case "create":
    case "update":
    case "delete":
    case "action":
      return writeResult(catalog, capability);
  }
}

function writeResult(catalog: Catalog, capability: Capability): CallResult {
  const shape = capability.output?.shape;
  const own: CallResult = { kind: "rows", card: "one", entity: capability.entity };
  if (shape?.type === "side_effect") return { kind: "nothing" };
  if (shape?.type === "entity") return { ...own, entity: shape.entityType };
  if (shape?.type === "collection") {
    return { kind: "rows", card: "many", entity: shape.entityType };
  }
  if (!answersRows(catalog, capability)) return { kind: "nothing" };
  return shape?.type === "custom" ? { kind: "open" } : own;
}

function answersRows(catalog: Catalog, capability: Capability): boolean {
  if (capability.kind === "create" || (capability.provides ?? []).length > 0) return true;
  const template = catalog.cml.get(capability.name);
  if (template?.transport !== "http" && template?.transport !== "graphql") return false;
  return template.response.declared;
}

/**
 * A function of a catalog and one of its capabilities that computes each answer once: both are frozen,
 * so the answer cannot change.
 */
export function oncePerCapability<T>(
  compute: (catalog: Catalog, capability: Capability) => T,
): (catalog: Catalog, capability: Capability) => T {
  const known = new WeakMap<Catalog, Map<Capability, T>>();
  return (catalog, capability) => {
    let answers = known.get(catalog);
    if (answers === undefined) {
      answers = new Map();
      known.set(catalog, answers);
    }
    const answer = answers.get(capability);
    if (answer !== undefined) return answer;
    const computed = compute(catalog, capability);
    answers.set(capability, computed);
    return computed;
  };
}
