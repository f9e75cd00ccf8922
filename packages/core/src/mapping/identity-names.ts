import type { Capability } from "../schema/capability.ts";
import type { Entity } from "../schema/entity.ts";
import { inputSlots } from "../schema/input-slots.ts";
import { keyParts } from "../schema/key-parts.ts";
import type { Catalog } from "./catalog.ts";
import { pathVariables } from "./template-variables.ts";

/** The names that stand for one key value whatever their spelling: `Tree_ID` is `treeid` (RUN-011). */
function plain(name: string): string {
  return name.toLowerCase().replaceAll("_", "");
}

/** Whether a capability is called on a row: its identity is then part of the environment (RUN-010). */
export function takesIdentity(capability: Capability): boolean {
  switch (capability.kind) {
    case "get":
      return capability.needsIdentity;
    case "update":
    case "delete":
    case "action":
      return true;
    case "query":
    case "search":
    case "create":
      return false;
  }
}

/**
 * The names that the identity of the row binds for a capability: `id`, the id_field, the key parts,
 * and the path variables that can only mean the identity (RUN-011). Empty for lists and creates.
 */
export function identityNames(catalog: Catalog, capability: Capability): ReadonlySet<string> {
  const entity = catalog.cgs.entities.get(capability.entity);
  if (entity === undefined || !takesIdentity(capability)) return new Set();
  const names = new Set(["id", entity.idField, ...entity.keyVars]);
  if (keyParts(entity).length > 1) return names;
  const unbound = unboundPathVariables(catalog, capability, names);
  const meant = unbound.length === 1 ? unbound : unbound.filter((name) => spellsKey(entity, name));
  for (const name of meant) names.add(name);
  return names;
}

function spellsKey(entity: Entity, name: string): boolean {
  const text = plain(name);
  return text === `${plain(entity.name)}id` || text === plain(entity.idField);
}

function unboundPathVariables(
  catalog: Catalog,
  capability: Capability,
  bound: ReadonlySet<string>,
): readonly string[] {
  const template = catalog.cml.get(capability.name);
  if (template === undefined) return [];
  const declared = declaredNames(catalog, capability);
  return pathVariables(template).filter((name) => !bound.has(name) && !declared.has(name));
}

/** Names of declared arguments, and what splat, preflight and the engine bind (RUN-010 to RUN-014). */
export function declaredNames(catalog: Catalog, capability: Capability): ReadonlySet<string> {
  const { slots, union } = inputSlots(capability);
  const names = new Set(ENGINE_NAMES);
  for (const slot of slots) names.add(slot.name);
  for (const variant of union?.variants ?? []) {
    for (const field of variant.fields) names.add(field.name);
  }
  if (union !== null) names.add(union.wireField);
  for (const name of splatNames(catalog, capability)) names.add(name);
  for (const name of preflightNames(catalog, capability)) names.add(name);
  return names;
}

const ENGINE_NAMES = [
  "filter",
  "projection",
  "plasm_execute_prompt_hash",
  "plasm_execute_session_id",
];

/** The key parts that a scope reference with a compound key is spread into (RUN-012). */
export function splatNames(catalog: Catalog, capability: Capability): readonly string[] {
  return inputSlots(capability).slots.flatMap((slot) => {
    if (slot.role !== "scope" || slot.input.kind !== "value") return [];
    const type = slot.input.type;
    if (type.kind !== "entity_ref") return [];
    const parts = catalog.cgs.entities.get(type.target)?.keyVars ?? [];
    return parts.length >= 2 ? parts : [];
  });
}

/** The names that preflight steps merge into the environment (RUN-104). */
function preflightNames(catalog: Catalog, capability: Capability): readonly string[] {
  return capability.preflight.flatMap((step) => {
    switch (step.kind) {
      case "hydrate_invoke_target": {
        const fields = catalog.cgs.entities.get(capability.entity)?.fields.keys() ?? [];
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
