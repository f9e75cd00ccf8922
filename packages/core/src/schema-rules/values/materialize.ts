import type { RelationDoc } from "../../load/format/relation-shape.ts";
import type { KeyPath } from "../../load/key-path.ts";
import type { Rule, RuleContext } from "../rule.ts";

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
