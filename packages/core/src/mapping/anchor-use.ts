import type { Capability } from "../schema/capability.ts";
import { slotsOf } from "../schema/slots-of.ts";
import { exemplarRequiresAnchor, invokeRequiresAnchor } from "./anchor-predicates.ts";
import type { Catalog } from "./catalog.ts";
import { oncePerCapability } from "./once-per-capability.ts";
import { identityNames } from "./path-binding.ts";
import { preflightNames } from "./preflight-names.ts";
import type { Template } from "./template.ts";
import { variableUses } from "./variable-uses.ts";

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
function readsIdentity(catalog: Catalog, capability: Capability, template: Template): boolean {
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
