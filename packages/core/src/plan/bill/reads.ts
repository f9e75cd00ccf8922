import type { AccessRules } from "../../check/access.ts";
import { getsByKey } from "../../check/reads/gets-by-key.ts";
import { mayHold, provides } from "../../model/lookups.ts";
import { catalogOf, type EntityKey, entityOf } from "../../catalog/federation.ts";
import { keyParts } from "../../model/lookups.ts";
import { conditionPaths } from "../lower/lower-compute.ts";
import { isEffectKind } from "../../model/model.ts";
import { viewOf } from "../../mapping/capability-views.ts";
import type { baseRead } from "../algebra.ts";
import type { Figure, PlanNode, RelationNode } from "../ir.ts";

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
  const tested = conditionPaths(node.filter).some(([field = ""]) => fields.includes(field));
  return tested ? { unknown: "a condition drops some" } : given;
}

/** Nodes whose rows may lack fields: lists, and rows followed to. */
export type HydratedNode = Extract<PlanNode, { kind: "query" | "search" | "relation" | "join" }>;

export function hydrationOf(rules: AccessRules, node: HydratedNode): Hydration | null {
  if (node.kind === "relation" && node.via === "ref") return null;
  const key = { entryId: node.catalog.entry_id, entity: node.catalog.entity };
  const owner = entityOf(rules.exposure.catalogs, key);
  const parts = keyParts(owner);
  const gets = getsByKey(rules, key);
  const wanted = node.wanted.filter((field) => {
    // What relations of many rows ask for is billed with them.
    const isColumn = owner.fields.has(field) || owner.relations.get(field)?.cardinality === "one";
    if (parts.includes(field) || !isColumn) return false;
    const held = gets.length > 0 && mayHold(owner, field);
    return held || gets.some((get) => provides(get, field));
  });
  if (node.capability === null) {
    const unsure = wanted.filter((field) => !isFilledByView(rules, node, field));
    return unsure.length > 0 ? { kind: "possible", fields: unsure } : null;
  }
  const { cgs } = catalogOf(rules.exposure.catalogs, key.entryId);
  const capability = cgs.capabilities.get(node.capability);
  if (capability === undefined) return null;
  const lacking = wanted.filter((field) => !provides(capability, field));
  if (lacking.length > 0) return { kind: "certain", fields: lacking };
  const embedded = wanted.filter(
    (field) => owner.relations.get(field)?.materialize?.kind === "from_parent_get",
  );
  return embedded.length > 0 ? { kind: "possible", fields: embedded } : null;
}

/**
 * Whether the source rows of a relation to many rows, which stand in them, have to be completed by a get
 * each (RUN-050): `certain` if what read them says that it does not fill it, `possible` if that may lack
 * it. Null if they have it, or nothing can be asked.
 */
export function parentHydration(
  rules: AccessRules,
  node: RelationNode,
  read: ReturnType<typeof baseRead>,
): Hydration | null {
  const key = { entryId: node.catalog.entry_id, entity: node.owner };
  const gets = getsByKey(rules, key);
  const owner = entityOf(rules.exposure.catalogs, key);
  const { relation } = node;
  if (gets.length === 0 || owner.relations.get(relation)?.cardinality !== "many") return null;
  const possible: Hydration = { kind: "possible", fields: [relation] };
  if (read === null || !("capability" in read) || read.capability === null) return possible;
  const catalog = catalogOf(rules.exposure.catalogs, key.entryId);
  const capability = catalog.cgs.capabilities.get(read.capability);
  if (capability === undefined) return possible;
  const outputs = viewOf(catalog, capability)?.relationOutputs ?? [];
  if (outputs.some((output) => output.relation === relation)) return null;
  const declared = capability.provides;
  if (capability.kind === "get") {
    const others = gets.filter(({ name }) => name !== capability.name);
    return declared?.includes(relation) === true || others.length === 0 ? null : possible;
  }
  const lacks =
    declared === undefined ? isEffectKind(capability.kind) : !declared.includes(relation);
  return lacks ? { kind: "certain", fields: [relation] } : possible;
}

/**
 * The fields that a relation reads of its source rows, its own reference or what it is bound to, where these
 * are the answers of an effect that does not say that it fills them: a get asks for them first (RUN-052).
 */
export function answerHydration(
  rules: AccessRules,
  key: EntityKey,
  read: ReturnType<typeof baseRead>,
  fields: readonly string[],
): Hydration | null {
  if (read === null || !("capability" in read)) return null;
  const { cgs } = catalogOf(rules.exposure.catalogs, key.entryId);
  const capability = cgs.capabilities.get(read.capability ?? "");
  if (capability === undefined || !isEffectKind(capability.kind)) return null;
  const parts = keyParts(entityOf(rules.exposure.catalogs, key));
  const filled = new Set([...parts, ...(capability.provides ?? [])]);
  const lacking = fields.filter((field) => !filled.has(field));
  if (lacking.length === 0 || getsByKey(rules, key).length === 0) return null;
  return { kind: "certain", fields: lacking };
}

/** What a join reads of the rows that it starts from: what it is bound to, else its own reference (RUN-050). */
export function joinedFields(rules: AccessRules, key: EntityKey, name: string): readonly string[] {
  const owner = entityOf(rules.exposure.catalogs, key);
  const rule = owner.fields.has(name) ? undefined : owner.relations.get(name)?.materialize;
  return rule?.kind === "get_scoped_bindings" ? [...rule.bindings.values()] : [name];
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
