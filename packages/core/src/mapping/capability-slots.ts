import type { Capability } from "../schema/capability.ts";
import type { Slot } from "../schema/input.ts";
import { rootUnion, slotsOf } from "../schema/slots-of.ts";
import type { UnionInput } from "../schema/union-input.ts";
import { anchorUse } from "./anchor-use.ts";
import { callsFunction } from "./calls-function.ts";
import type { Catalog } from "./catalog.ts";
import { identityNames, pathBindings, scopeBindings, splatParts } from "./path-binding.ts";
import { oncePerCapability } from "./once-per-capability.ts";
import { preflightNames } from "./preflight-names.ts";
import { restVariables, variablesRead } from "./variables.ts";
import { viewOf } from "./view-of.ts";

/** What a program may give a capability by name. */
export interface CapabilitySlots {
  /** declared slots in declared order, then path variables nothing else binds (RUN-011) */
  readonly slots: readonly Slot[];
  /** set where the whole input is a union: its members are arguments too (RUN-017) */
  readonly union: UnionInput | null;
}

/**
 * The arguments of a capability. Slots that the identity of the row gives are left out, unless the
 * template also reads them outside the path, as a rename does (RUN-010).
 */
export const capabilitySlots = oncePerCapability((catalog, capability): CapabilitySlots => {
  const given = givenByIdentity(catalog, capability);
  const outside = readOutsidePath(catalog, capability);
  const free = slotsOf(capability).filter(
    (slot) => !given.has(slot.name) || (!slot.required && outside.has(slot.name)),
  );
  const path = pathArguments(catalog, capability);
  const slots = [...free.map(withoutInjected(catalog, capability)), ...path.map(pathSlot)];
  return { slots, union: rootUnion(capability) ?? null };
});

/** What the session gives a view's scope need not be given by its caller (RUN-100). */
function withoutInjected(catalog: Catalog, capability: Capability): (slot: Slot) => Slot {
  const scope = viewOf(catalog, capability)?.scope ?? [];
  const injected = new Set(scope.flatMap(({ name, inject }) => (inject ? [name] : [])));
  return (slot) => (injected.has(slot.name) ? { ...slot, required: false } : slot);
}

/**
 * The path variables that are required text arguments (RUN-011, TEACH-3): nothing declared, no identity
 * and no preflight binds them. That of a create's receiver is one too: the create may be called without.
 */
export const pathArguments = oncePerCapability((catalog, capability): readonly string[] => {
  const template = catalog.cml.get(capability.name);
  if (template === undefined) return [];
  const bound = new Set([...ENGINE_NAMES, ...preflightNames(catalog.cgs, capability)]);
  const union = rootUnion(capability);
  if (union !== undefined) bound.add(union.wireField);
  for (const variant of union?.variants ?? []) {
    for (const field of variant.fields) bound.add(field.name);
  }
  return pathBindings(catalog.cgs, capability, template).flatMap(({ variable, source }) => {
    const open = source.kind === "argument" || source.kind === "receiver";
    return open && !bound.has(variable) ? [variable] : [];
  });
});

/**
 * The slots of a capability that its template, view scope or splat reads: those a condition can be
 * sent by (MAP-004, RUN-111).
 */
export const sentSlots = oncePerCapability((catalog, capability): ReadonlySet<string> => {
  const { slots } = capabilitySlots(catalog, capability);
  const template = catalog.cml.get(capability.name);
  if (template === undefined) return new Set();
  const view = viewOf(catalog, capability);
  if (view !== null) return new Set(view.scope.map(({ name }) => name));
  const read = new Set(variablesRead(template));
  if (read.has("input") || callsFunction(template)) return new Set(slots.map(({ name }) => name));
  const spread = [...splatParts(catalog.cgs, capability)].flatMap(([part, { slot }]) =>
    read.has(part) ? [slot] : [],
  );
  return new Set([...slots.map(({ name }) => name).filter((name) => read.has(name)), ...spread]);
});

const ENGINE_NAMES = [
  "filter",
  "projection",
  "plasm_execute_prompt_hash",
  "plasm_execute_session_id",
];

/**
 * The names that the identity of the row binds, path variables that can only mean it included; none
 * for a capability that may be called without a row.
 */
function givenByIdentity(catalog: Catalog, capability: Capability): ReadonlySet<string> {
  const entity = catalog.cgs.entities.get(capability.entity);
  const template = catalog.cml.get(capability.name);
  if (entity === undefined || anchorUse(catalog, capability) !== "required") return new Set();
  const names = new Set(identityNames(entity));
  if (template === undefined) return names;
  const view = viewOf(catalog, capability);
  const bindings =
    view === null
      ? pathBindings(catalog.cgs, capability, template)
      : scopeBindings(catalog.cgs, capability, view);
  for (const { variable, source } of bindings) {
    if (source.kind === "identity" || source.kind === "key") names.add(variable);
  }
  return names;
}

function readOutsidePath(catalog: Catalog, capability: Capability): ReadonlySet<string> {
  const template = catalog.cml.get(capability.name);
  return new Set(template === undefined ? [] : restVariables(template));
}

function pathSlot(name: string): Slot {
  return {
    name,
    input: { kind: "value", type: { kind: "string", semantics: "short" } },
    required: true,
    description: "",
    role: "filter",
  };
}
