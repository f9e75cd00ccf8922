import { catalogOf, type EntityKey, entityOf } from "../../catalog/federation.ts";
import { capabilitySlots } from "../../mapping/capability-slots.ts";
import { type Capability, isList, type Relation } from "../../model/model.ts";
import { type AccessRules, accessTo, usableCapabilities } from "../access.ts";
import { getsByKey } from "../reads/gets-by-key.ts";
import { slotType } from "../types.ts";
import { viewOf } from "../../mapping/capability-views.ts";
import { effectKind } from "../../policy/may-use.ts";

/**
 * How the rows of a relation are read (RUN-050): `ref` gets the row each source row refers to,
 * `from_parent_get` and `view` have them in hand, the others call `capability` with what `bindings`
 * says: parameter → field of the source row, or null for the row's own reference.
 */
export type RelationReading =
  | { readonly via: "ref" }
  | { readonly via: "from_parent_get" | "view" }
  | {
      readonly via: "query_scoped" | "query_scoped_bindings" | "get_scoped_bindings";
      readonly capability: Capability;
      readonly bindings: ReadonlyMap<string, string | null>;
    };

/** A step from rows of an entity to rows of another of the same catalog. */
export interface Navigation {
  readonly name: string;
  readonly target: EntityKey;
  readonly cardinality: "one" | "many";
  /** null: it cannot be read, by this tenant or at all (RUN-051) */
  readonly reading: RelationReading | null;
}

/** What `.name` leads to: the relation, else the entity_ref field (LANG-024); null if it is neither. */
export function navigation(rules: AccessRules, owner: EntityKey, name: string): Navigation | null {
  const { entryId } = owner;
  const entity = entityOf(rules.exposure.catalogs, owner);
  const relation = entity.relations.get(name);
  if (relation !== undefined) {
    const target = { entryId, entity: relation.target };
    const reading = relationReading(rules, owner, relation, target);
    return { name, target, cardinality: relation.cardinality, reading };
  }
  const type = entity.fields.get(name)?.type;
  if (type?.kind !== "entity_ref") return null;
  const target = { entryId, entity: type.target };
  return { name, target, cardinality: "one", reading: byReference(rules, target) };
}

/** The names `.name` may use on rows of an entity, relations first, each once. */
export function navigableNames(rules: AccessRules, owner: EntityKey): readonly string[] {
  const entity = entityOf(rules.exposure.catalogs, owner);
  const names = new Set([...entity.relations.keys(), ...entity.fields.keys()]);
  return [...names].filter((name) => {
    const to = navigation(rules, owner, name);
    return to !== null && to.reading !== null;
  });
}

/** The lists of an entity that take a reference to another one: what an unavailable relation names. */
export function scopedLists(
  rules: AccessRules,
  owner: EntityKey,
  target: EntityKey,
): readonly (readonly [capability: Capability, param: string])[] {
  const catalog = catalogOf(rules.exposure.catalogs, owner.entryId);
  return usableCapabilities(rules, target).flatMap((capability) => {
    if (capability.kind !== "query" && capability.kind !== "search") return [];
    const slot = capabilitySlots(catalog, capability).slots.find((each) => {
      const type = slotType(each);
      return type.kind === "entity_ref" && type.target === owner.entity;
    });
    return slot === undefined ? [] : [[capability, slot.name] as const];
  });
}

function relationReading(
  rules: AccessRules,
  owner: EntityKey,
  relation: Relation,
  target: EntityKey,
): RelationReading | null {
  const fills = viewFills(rules, owner, relation.name);
  if (fills === "all") return BY_VIEW;
  return declaredReading(rules, owner, relation, target) ?? (fills === "some" ? BY_VIEW : null);
}

const BY_VIEW: RelationReading = Object.freeze({ via: "view" });

function declaredReading(
  rules: AccessRules,
  owner: EntityKey,
  relation: Relation,
  target: EntityKey,
): RelationReading | null {
  const how = relation.materialize;
  switch (how?.kind) {
    case undefined:
      return relation.cardinality === "one"
        ? byReference(rules, target)
        : byOnlyList(rules, owner, target);
    case "unavailable":
      return null;
    case "from_parent_get":
      return { via: "from_parent_get" };
    case "query_scoped":
      return named(rules, target, how.kind, how.capability, new Map([[how.param, null]]));
    case "query_scoped_bindings":
    case "get_scoped_bindings":
      return named(rules, target, how.kind, how.capability, how.bindings);
  }
}

function byReference(rules: AccessRules, target: EntityKey): RelationReading | null {
  return getsByKey(rules, target).length === 0 ? null : { via: "ref" };
}

function named(
  rules: AccessRules,
  target: EntityKey,
  via: "query_scoped" | "query_scoped_bindings" | "get_scoped_bindings",
  name: string,
  bindings: ReadonlyMap<string, string | null>,
): RelationReading | null {
  const { cgs } = catalogOf(rules.exposure.catalogs, target.entryId);
  const capability = cgs.capabilities.get(name);
  if (capability === undefined) return null;
  if (accessTo(rules, target.entryId, capability) !== "allowed") return null;
  // Behind a get no condition is sent, so what it requires has to come from the source row.
  if (via === "get_scoped_bindings") {
    const { slots } = capabilitySlots(
      catalogOf(rules.exposure.catalogs, target.entryId),
      capability,
    );
    if (slots.some((slot) => slot.required && !bindings.has(slot.name))) return null;
  }
  return { via, capability, bindings };
}

/** The target's only list whose required parameters are exactly one scope reference to the source (RUN-051). */
function byOnlyList(
  rules: AccessRules,
  owner: EntityKey,
  target: EntityKey,
): RelationReading | null {
  const catalog = catalogOf(rules.exposure.catalogs, target.entryId);
  // Which list is the only one cannot be said where one was left out.
  const isLost = (catalog.dropped ?? []).some(
    ({ kind, entity, does }) =>
      kind === "capability" && entity === target.entity && (does === undefined || isList(does)),
  );
  if (isLost) return null;
  const fitting = usableCapabilities(rules, target).flatMap((capability) => {
    if (capability.kind !== "query" && capability.kind !== "search") return [];
    const required = capabilitySlots(catalog, capability).slots.filter((slot) => slot.required);
    const [slot] = required;
    if (slot === undefined || required.length > 1 || slot.role !== "scope") return [];
    const type = slotType(slot);
    const fits = type.kind === "entity_ref" && type.target === owner.entity;
    return fits ? [{ capability, param: slot.name }] : [];
  });
  const [only] = fitting;
  if (only === undefined || fitting.length > 1) return null;
  return {
    via: "query_scoped",
    capability: only.capability,
    bindings: new Map([[only.param, null]]),
  };
}

/**
 * Which reads of an entity hold the rows of a relation, since they are views with an output for it
 * (RUN-100): all of them, only some, or none. Those of some have to be read first where a row lacks them.
 */
function viewFills(
  rules: AccessRules,
  owner: EntityKey,
  relation: string,
): "all" | "some" | "none" {
  const catalog = catalogOf(rules.exposure.catalogs, owner.entryId);
  const reads = usableCapabilities(rules, owner).filter(({ kind }) => effectKind(kind) === null);
  const filling = reads.filter((read) => {
    const outputs = viewOf(catalog, read)?.relationOutputs ?? [];
    return outputs.some((output) => output.relation === relation);
  });
  if (filling.length === 0) return "none";
  return filling.length === reads.length ? "all" : "some";
}
