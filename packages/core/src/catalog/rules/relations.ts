import type { RelationDoc } from "../format/domain-shape.ts";
import type { KeyPath } from "../key-path.ts";
import { declaredCapabilities } from "../../model/lookups.ts";
import { isList, oneOfKind } from "../../model/model.ts";
import { boundNames } from "./bound-names.ts";
import { choice } from "./part-view.ts";
import type { Rule, RuleContext } from "./rule.ts";

interface Site {
  readonly entity: string;
  readonly relation: RelationDoc;
  readonly path: KeyPath;
}

/** CAT-062: the capability of a relation fits and has the bound parameters; CAT-063: so do the fields. */
export const relationBindingsRule: Rule = (context) => {
  for (const [entity, { relations }] of context.domain.entities) {
    for (const [name, relation] of relations) {
      const path = ["entities", entity, "relations", name, "materialize"];
      if (context.inDomain.faulty(path)) continue;
      checkMaterialize(context, { entity, relation, path });
    }
  }
};

function checkMaterialize(context: RuleContext, site: Site): void {
  const { materialize } = site.relation;
  switch (materialize.kind) {
    case "unavailable":
    case "from_parent_get":
      return;
    case "query_scoped": {
      const names = checkCapability(context, site, materialize.capability, false);
      checkParameter(
        context,
        materialize,
        names,
        materialize.param,
        [...site.path, "param"],
        false,
      );
      return;
    }
    case "query_scoped_bindings":
    case "get_scoped_bindings": {
      const get = materialize.kind === "get_scoped_bindings";
      const names = checkCapability(context, site, materialize.capability, get);
      checkBindings(context, site, materialize, names);
    }
  }
}

/** The names that may be bound, or null if the capability is already in error. */
function checkCapability(
  { catalog, domain, inDomain }: RuleContext,
  { relation, path }: Site,
  name: string,
  get: boolean,
): readonly string[] | null {
  const at = [...path, "capability"];
  const capability = catalog.cgs.capabilities.get(name);
  const fitting = declaredCapabilities(catalog.cgs, relation.target).filter((each) =>
    get ? each.kind === "get" : isList(each.kind),
  );
  if (capability === undefined) {
    if (!inDomain.has(["capabilities", name])) {
      inDomain.unknown(at, "capability", name, domain.capabilities.keys());
    }
    return null;
  }
  if (!fitting.includes(capability)) {
    const what = get ? "a get" : "a query or search";
    const { allowed } = choice(
      name,
      fitting.map((each) => each.name),
    );
    inDomain.atValue(at, "CAT062", "capability", {
      found: name,
      kind: oneOfKind(capability.kind),
      entity: capability.entity,
      allowed: `${what} on ${relation.target}: ${allowed}`,
    });
    return null;
  }
  return boundNames(catalog, capability).arguments;
}

function checkBindings(
  context: RuleContext,
  { entity, path }: Site,
  materialize: { readonly capability: string; readonly bindings: ReadonlyMap<string, string> },
  names: readonly string[] | null,
): void {
  const at = [...path, "bindings"];
  const { inDomain, domain } = context;
  if (materialize.bindings.size === 0) inDomain.atValue(at, "CAT063", "empty", {});
  const parent = domain.entities.get(entity);
  const fields = [...(parent?.fields.keys() ?? []), ...(parent?.key_vars ?? [])];
  if (parent?.id_field !== undefined || parent?.key_vars.length === 0) {
    fields.push(parent.id_field ?? "id");
  }
  for (const [parameter, field] of materialize.bindings) {
    checkParameter(context, materialize, names, parameter, [...at, parameter], true);
    if (fields.includes(field) || inDomain.faulty(["entities", entity, "fields"])) continue;
    const params = { found: field, entity, ...choice(field, new Set(fields)) };
    inDomain.atValue([...at, parameter], "CAT063", "field", params);
  }
}

function checkParameter(
  { inDomain }: RuleContext,
  { capability }: { readonly capability: string },
  names: readonly string[] | null,
  found: string,
  path: KeyPath,
  key: boolean,
): void {
  if (names === null || names.includes(found) || inDomain.faulty(["capabilities", capability])) {
    return;
  }
  const params = { capability, found, ...choice(found, names) };
  if (key) inDomain.atKey(path, "CAT062", "parameter", params);
  else inDomain.atValue(path, "CAT062", "parameter", params);
}

const MANY = ["unavailable", "from_parent_get", "query_scoped", "query_scoped_bindings"];
const ONE = ["unavailable", "from_parent_get", "get_scoped_bindings"];

/** CAT-061: the kind of a relation's materialize fits its cardinality, and its path is sound. */
export const materializeRule: Rule = (context) => {
  for (const [entity, { relations }] of context.domain.entities) {
    for (const [name, relation] of relations) {
      const path = ["entities", entity, "relations", name, "materialize"];
      if (context.inDomain.faulty(path)) continue;
      checkKind(context, relation, path);
      if (relation.materialize.kind === "from_parent_get") {
        checkPath(context, relation, [...path, "path"]);
        checkMap(context, relation, path);
      }
    }
  }
};

function checkKind({ inDomain }: RuleContext, relation: RelationDoc, path: KeyPath): void {
  const { cardinality } = relation;
  const allowed = cardinality === "many" ? MANY : ONE;
  const { kind: found } = relation.materialize;
  if (allowed.includes(found)) return;
  const params = { found, cardinality, allowed: allowed.join(", ") };
  inDomain.atValue([...path, "kind"], "CAT061", "kind", params);
}

/** Rows of a map stand where the path ends, and its keys and values have a member each. */
function checkMap({ inDomain }: RuleContext, { materialize }: RelationDoc, path: KeyPath): void {
  if (materialize.kind !== "from_parent_get") return;
  const { key_into: key, value_into: value } = materialize;
  if (key !== undefined && materialize.path.at(-1)?.wildcard === undefined) {
    inDomain.atKey([...path, "key_into"], "CAT061", "into", {});
  }
  if (value === undefined) return;
  if (key === undefined) inDomain.atKey([...path, "value_into"], "CAT061", "alone", {});
  else if (key === value)
    inDomain.atValue([...path, "value_into"], "CAT061", "same", { found: value });
}

function checkPath({ inDomain }: RuleContext, relation: RelationDoc, path: KeyPath): void {
  if (relation.materialize.kind !== "from_parent_get") return;
  const one = relation.cardinality === "one";
  const steps = relation.materialize.path;
  if (steps.length === 0) {
    const allowed = one ? "key: <key>" : "key: <key> or wildcard: true";
    inDomain.atValue(path, "CAT061", "empty", { allowed });
  }
  steps.forEach((step, at) => {
    const both = step.key !== undefined && step.wildcard !== undefined;
    const neither = step.key === undefined && step.wildcard === undefined;
    if (both || neither) {
      const found = both ? "key and wildcard" : "neither key nor wildcard";
      inDomain.atValue([...path, at], "CAT061", "step", { found });
    } else if (step.wildcard !== undefined && one) {
      inDomain.atValue([...path, at], "CAT061", "wildcard", {});
    }
  });
}

/** CAT-060: a relation has no entity_ref field's name; CAT-005 for its target. */
export const relationsRule: Rule = ({ domain, inDomain }) => {
  for (const [entity, { fields, relations }] of domain.entities) {
    for (const [found, relation] of relations) {
      const path = ["entities", entity, "relations", found];
      const field = fields.get(found);
      const type = field && domain.values.get(field.value_ref)?.type;
      if (type === "entity_ref") {
        const first = inDomain.position(["entities", entity, "fields", found]);
        inDomain.atKey(path, "CAT060", "field", { found, entity, first });
      }
      if (!inDomain.has(["entities", relation.target])) {
        const names = domain.entities.keys();
        inDomain.unknown([...path, "target"], "entity", relation.target, names);
      }
    }
  }
};
