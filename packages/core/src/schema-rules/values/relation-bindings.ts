import type { RelationDoc } from "../../load/format/relation-shape.ts";
import type { KeyPath } from "../../load/key-path.ts";
import { declaredCapabilities } from "../../schema/capabilities-by-label.ts";
import { isList, oneOfKind } from "../../schema/capability-kind.ts";
import { boundNames } from "../bound-names.ts";
import { choice } from "../part-view.ts";
import type { Rule, RuleContext } from "../rule.ts";

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
