import type { Capability } from "../schema/capability.ts";
import type { Entity } from "../schema/entity.ts";
import type { Expression } from "./expression.ts";
import type { Template } from "./template.ts";
import { expressionUses } from "./variable-uses.ts";
import { pathVariables } from "./variables.ts";

/**
 * Whether an example of the capability shows its entity anchored (TEACH-34): the path has a
 * variable, or the operation's variables block binds an id-like key.
 */
export function exemplarRequiresAnchor(
  entity: Entity,
  capability: Capability,
  template: Template,
): boolean {
  if (!takesAnchor(capability)) return false;
  if (pathVariables(template).length > 0) return true;
  return variablesBlock(template).some(
    ([key, value]) => isIdLike(key, entity) && readsVariable(value),
  );
}

/**
 * Whether a call of the capability must be anchored (TEACH-34): the path has a variable, or the
 * operation's variables block binds any variable. {@link exemplarRequiresAnchor} implies it (TEACH-35).
 */
export function invokeRequiresAnchor(capability: Capability, template: Template): boolean {
  if (!takesAnchor(capability)) return false;
  if (pathVariables(template).length > 0) return true;
  return variablesBlock(template).some(([, value]) => readsVariable(value));
}

/** Creates and list reads never need an anchor, nor does a get without identity (TEACH-35). */
function takesAnchor(capability: Capability): boolean {
  return capability.needsIdentity;
}

/** The members of the `variables` a GraphQL body sends; other transports have no such block. */
function variablesBlock(template: Template): readonly (readonly [string, Expression])[] {
  if (template.transport !== "graphql" || template.body?.type !== "object") return [];
  return template.body.fields.flatMap(([key, value]) => {
    if (key !== "variables") return [];
    return value.type === "object" ? value.fields : [["", value] as const];
  });
}

function readsVariable(expression: Expression): boolean {
  return expressionUses(expression, []).length > 0;
}

/** `id`, the id field, a key variable, `<entity>_id` or `<entity>Id`. */
function isIdLike(key: string, entity: Entity): boolean {
  if (key === "id" || key === entity.idField || entity.keyVars.includes(key)) return true;
  return (
    key.replaceAll("_", "").toLowerCase() === `${entity.name.replaceAll("_", "")}id`.toLowerCase()
  );
}
