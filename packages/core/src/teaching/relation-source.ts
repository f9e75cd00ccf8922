import type { Catalog } from "../mapping/catalog.ts";
import { capabilitySlots } from "../mapping/capability-slots.ts";
import { capabilitiesByLabel } from "../schema/capabilities-by-label.ts";
import type { Capability } from "../schema/capability.ts";
import type { Entity } from "../schema/entity.ts";
import type { InputType } from "../schema/input.ts";
import { keyParts } from "../schema/key-parts.ts";
import type { Relation } from "../schema/relation.ts";

/** Where the rows of a relation come from (RUN-050, RUN-051), as far as a table needs to know. */
export interface RelationSource {
  /** the capability that is called, or null where the rows come with the parent's own row */
  readonly capability: Capability | null;
  /** whether the key of the parent is all that must be known of it */
  readonly byKey: boolean;
  /** whether it takes more than the reference to the parent */
  readonly bound: boolean;
}

/** How a relation is read, or null if it is not navigable (RUN-051). */
export function relationSource(
  catalog: Catalog,
  owner: Entity,
  relation: Relation,
): RelationSource | null {
  const declared = relation.materialize;
  switch (declared?.kind) {
    case undefined:
      return relation.cardinality === "one" ? inHand : implicitList(catalog, owner, relation);
    case "unavailable":
      return null;
    case "from_parent_get":
      return inHand;
    case "query_scoped":
      return called(catalog, declared.capability, true, false);
    case "query_scoped_bindings":
    case "get_scoped_bindings": {
      const key = new Set(keyParts(owner));
      const byKey = [...declared.bindings.values()].every((field) => key.has(field));
      return called(catalog, declared.capability, byKey, true);
    }
  }
}

const inHand: RelationSource = { capability: null, byKey: false, bound: false };

function called(
  catalog: Catalog,
  name: string,
  byKey: boolean,
  bound: boolean,
): RelationSource | null {
  const capability = catalog.cgs.capabilities.get(name);
  return capability === undefined ? null : { capability, byKey, bound };
}

/** The target's only list whose required slots are exactly one scope reference to the owner (RUN-051). */
function implicitList(catalog: Catalog, owner: Entity, relation: Relation): RelationSource | null {
  const fitting = capabilitiesByLabel(catalog.cgs, relation.target).filter((capability) => {
    if (capability.kind !== "query" && capability.kind !== "search") return false;
    const required = capabilitySlots(catalog, capability).slots.filter((slot) => slot.required);
    const [only] = required;
    if (only === undefined || required.length > 1 || only.role !== "scope") return false;
    return refersTo(only.input, owner.name);
  });
  const [only] = fitting;
  if (only === undefined || fitting.length > 1) return null;
  return { capability: only, byKey: true, bound: false };
}

function refersTo(input: InputType, entity: string): boolean {
  return input.kind === "value" && input.type.kind === "entity_ref" && input.type.target === entity;
}
