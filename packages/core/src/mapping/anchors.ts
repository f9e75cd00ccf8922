import type { Capability, Cgs, Entity } from "../model/model.ts";
import { keyParts } from "../model/lookups.ts";
import { slotsOf } from "../model/slots-of.ts";
import { callsFunction } from "./evaluate-expression.ts";
import type { Catalog, Cml, Expression, RequestTemplate } from "./template.ts";
import { identityNames, pathBindings, scopeBindings } from "./path-binding.ts";
import { expressionUses, pathVariables, variablesRead, variableUses } from "./variables.ts";
import { oncePerCapability, preflightNames } from "./capability-views.ts";

type Files = Pick<Catalog, "cgs" | "cml">;

/**
 * The parts of an entity's key that a get puts into its request (RUN-010, RUN-011); all of them where its
 * template may read anything. Views bind them to their scope (RUN-100).
 */
export function sentKeyParts(catalog: Files, capability: Capability): ReadonlySet<string> {
  const entity = catalog.cgs.entities.get(capability.entity);
  const template = catalog.cml.get(capability.name);
  if (entity === undefined || template === undefined) return new Set();
  const parts = keyParts(entity);
  const read = new Set(variablesRead(template));
  if (read.has("input") || callsFunction(template)) return new Set(parts);
  const sent = new Set(parts.filter((part) => read.has(part)));
  const whole = identityNames(entity).filter((name) => !parts.includes(name));
  if (whole.some((name) => read.has(name))) return new Set(parts);
  for (const { source } of bindingsOf(catalog, capability, template)) {
    if (source.kind === "identity") return new Set(parts);
    if (source.kind === "key") sent.add(source.field);
  }
  return sent;
}

function bindingsOf(catalog: Files, capability: Capability, template: RequestTemplate) {
  if (template.transport !== "view") return pathBindings(catalog, capability, template);
  const view = catalog.cgs.views.get(template.view);
  return view === undefined ? [] : scopeBindings(catalog.cgs, capability, view);
}

/** Whether the row of a get may be one of a collection, from which its identity picks it (RUN-031). */
function picksItsRow(template: RequestTemplate): boolean {
  if (template.transport !== "http") return false;
  const { single, items, itemsPath } = template.response;
  return !single && (items !== undefined || itemsPath !== undefined);
}

/** Whether a template takes nothing that a caller must give: no variables, or optional parameters alone. */
function needsNothing(catalog: Files, capability: Capability, template: RequestTemplate): boolean {
  const slots = slotsOf(capability);
  if (slots.some(({ required }) => required)) return false;
  const optional = new Set(slots.map(({ name }) => name));
  return bindingsOf(catalog, capability, template).every(
    ({ variable, source }) => optional.has(variable) || source.kind === "fixed",
  );
}

/**
 * A graph whose gets that no key can reach are singletons: their requests are the same whatever row is
 * asked for, and they answer one row (RUN-042).
 */
export function withSingletons(cgs: Cgs, cml: Cml): Cgs {
  const capabilities = new Map(cgs.capabilities);
  for (const [name, capability] of cgs.capabilities) {
    const template = cml.get(name);
    if (capability.kind !== "get" || !capability.needsIdentity || template === undefined) continue;
    const files = { cgs, cml };
    if (picksItsRow(template) || sentKeyParts(files, capability).size > 0) continue;
    if (!needsNothing(files, capability, template)) continue;
    capabilities.set(name, { ...capability, needsIdentity: false });
  }
  return { ...cgs, capabilities };
}

/**
 * Whether a capability is called on a row: `never` for creates, lists and gets without identity,
 * `required` if it cannot run without one, else `optional`, so that it may be called on the entity
 * itself, too (LANG-025, TEACH-34, TEACH-35).
 */
export type AnchorUse = "never" | "optional" | "required";

export const anchorUse = oncePerCapability((catalog, capability): AnchorUse => {
  if (!capability.needsIdentity) return "never";
  if (capability.kind === "get") return "required";
  const template = catalog.cml.get(capability.name);
  const entity = catalog.cgs.entities.get(capability.entity);
  if (template === undefined || entity === undefined) return "required";
  const required =
    exemplarRequiresAnchor(entity, capability, template) ||
    invokeRequiresAnchor(capability, template) ||
    capability.preflight.some(({ kind }) => kind === "hydrate_invoke_target") ||
    readsIdentity(catalog, capability, template);
  return required ? "required" : "optional";
});

/** Whether a template reads a name that only the identity of a row binds: bare, it could not be sent. */
function readsIdentity(
  catalog: Catalog,
  capability: Capability,
  template: RequestTemplate,
): boolean {
  const entity = catalog.cgs.entities.get(capability.entity);
  const names = new Set(entity === undefined ? [] : identityNames(entity));
  const bound = new Set([
    ...slotsOf(capability).map(({ name }) => name),
    ...preflightNames(catalog.cgs, capability),
  ]);
  return variableUses(template).some(
    ({ name, guarded }) => !guarded && names.has(name) && !bound.has(name),
  );
}

/**
 * Whether an example of the capability shows its entity anchored (TEACH-34): the path has a
 * variable, or the operation's variables block binds an id-like key.
 */
export function exemplarRequiresAnchor(
  entity: Entity,
  capability: Capability,
  template: RequestTemplate,
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
export function invokeRequiresAnchor(capability: Capability, template: RequestTemplate): boolean {
  if (!takesAnchor(capability)) return false;
  if (pathVariables(template).length > 0) return true;
  return variablesBlock(template).some(([, value]) => readsVariable(value));
}

/** Creates and list reads never need an anchor, nor does a get without identity (TEACH-35). */
function takesAnchor(capability: Capability): boolean {
  return capability.needsIdentity;
}

/** The members of the `variables` a GraphQL body sends; other transports have no such block. */
function variablesBlock(template: RequestTemplate): readonly (readonly [string, Expression])[] {
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
