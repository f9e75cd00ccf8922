import type { Capability } from "../schema/capability.ts";
import type { Cgs } from "../schema/cgs.ts";
import { keyParts } from "../schema/key-parts.ts";
import { slotsOf } from "../schema/slots-of.ts";
import { callsFunction } from "./calls-function.ts";
import type { Catalog } from "./catalog.ts";
import { identityNames, pathBindings, scopeBindings } from "./path-binding.ts";
import type { Cml, Template } from "./template.ts";
import { variablesRead } from "./variables.ts";

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

function bindingsOf(catalog: Files, capability: Capability, template: Template) {
  if (template.transport !== "view") return pathBindings(catalog, capability, template);
  const view = catalog.cgs.views.get(template.view);
  return view === undefined ? [] : scopeBindings(catalog.cgs, capability, view);
}

/** Whether the row of a get may be one of a collection, from which its identity picks it (RUN-031). */
function picksItsRow(template: Template): boolean {
  if (template.transport !== "http") return false;
  const { single, items, itemsPath } = template.response;
  return !single && (items !== undefined || itemsPath !== undefined);
}

/** Whether a template takes nothing that a caller must give: no variables, or optional parameters alone. */
function needsNothing(catalog: Files, capability: Capability, template: Template): boolean {
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
