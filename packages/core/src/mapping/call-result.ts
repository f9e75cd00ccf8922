import type { Capability } from "../schema/capability.ts";
import type { Catalog } from "./catalog.ts";

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
