import type { AccessRules } from "../../check/access.ts";
import { getsByKey, provides } from "../../check/reads/gets-by-key.ts";
import { catalogOf, entityOf } from "../../federation/entity-of.ts";
import { keyParts } from "../../schema/key-parts.ts";
import { predPaths } from "../lower/plan-pred.ts";
import type { PlanNode } from "../node.ts";
import type { Figure } from "../plan.ts";

/**
 * Whether rows of a read have to be completed by a get each (RUN-057): `certain` if the capability
 * says it does not fill a wanted field, `possible` if nothing says what rows in hand hold.
 */
export interface Hydration {
  readonly kind: "possible" | "certain";
  readonly fields: readonly string[];
}

/** The same with how many rows that is (PLAN-020). */
export interface BilledHydration extends Hydration {
  readonly rows: Figure;
}

/** How many rows are completed: those that a node gives, and those that a condition on such a field drops. */
export function hydratedRows(node: HydratedNode, { fields }: Hydration, given: Figure): Figure {
  if (node.kind === "join") return given;
  const tested = predPaths(node.filter).some(([field = ""]) => fields.includes(field));
  return tested ? { unknown: "a condition drops some" } : given;
}

/** Nodes whose rows may lack fields: lists, and rows followed to. */
export type HydratedNode = Extract<PlanNode, { kind: "query" | "search" | "relation" | "join" }>;

export function hydrationOf(rules: AccessRules, node: HydratedNode): Hydration | null {
  if (node.kind === "relation" && node.via === "ref") return null;
  const key = { entryId: node.catalog.entry_id, entity: node.catalog.entity };
  const parts = keyParts(entityOf(rules.exposure.catalogs, key));
  const gets = getsByKey(rules, key);
  const wanted = node.wanted.filter(
    (field) => !parts.includes(field) && gets.some((get) => provides(get, field)),
  );
  if (node.capability === null) {
    const unsure = wanted.filter((field) => !isFilledByView(rules, node, field));
    return unsure.length > 0 ? { kind: "possible", fields: unsure } : null;
  }
  const { cgs } = catalogOf(rules.exposure.catalogs, key.entryId);
  const capability = cgs.capabilities.get(node.capability);
  if (capability === undefined) return null;
  const lacking = wanted.filter((field) => !provides(capability, field));
  return lacking.length > 0 ? { kind: "certain", fields: lacking } : null;
}

/** Whether every view that holds a relation's rows has them from a read that fills the field (RUN-100). */
function isFilledByView(rules: AccessRules, node: HydratedNode, field: string): boolean {
  if (node.kind !== "relation" || node.via !== "view") return false;
  const catalog = catalogOf(rules.exposure.catalogs, node.catalog.entry_id);
  const views = [...catalog.cgs.views.values()].filter(({ entity }) => entity === node.owner);
  return views.every((view) =>
    view.relationOutputs
      .filter(({ relation }) => relation === node.relation)
      .every(({ binding }) => {
        const name = view.nodes.find(({ id }) => id === binding.node)?.capability ?? "";
        const read = catalog.cgs.capabilities.get(name);
        return read !== undefined && provides(read, field);
      }),
  );
}
