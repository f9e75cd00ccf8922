import type { Capability, ViewScope } from "../model/model.ts";
import { type Slot, declaredSlotType } from "../model/input.ts";
import { rootUnion, slotsOf, type UnionInput } from "../model/slots-of.ts";
import { anchorUse } from "./anchors.ts";
import { callsFunction } from "./evaluate-expression.ts";
import type { Catalog, RequestTemplate } from "./template.ts";
import {
  identityNames,
  type PathBinding,
  pathBindings,
  scopeBindings,
  splatParts,
} from "./path-binding.ts";
import {
  oncePerCapability,
  preflightNames,
  preflightParameters,
  viewOf,
} from "./capability-views.ts";
import { restVariables, variablesRead, variablesSent } from "./variables.ts";

/** What a program may give a capability by name. */
export interface CapabilitySlots {
  /** declared slots in declared order, then path variables nothing else binds (RUN-011) */
  readonly slots: readonly Slot[];
  /** set where the whole input is a union: its members are arguments too (RUN-017) */
  readonly union: UnionInput | null;
}

const CHANGES: ReadonlySet<Capability["kind"]> = new Set(["create", "update", "delete", "action"]);

/**
 * The arguments of a capability. An optional one of an effect that nothing reads is none: whoever gave it
 * would believe that it was sent (MAP-004, 17.12).
 */
export const capabilitySlots = oncePerCapability((catalog, capability): CapabilitySlots => {
  const { slots, union } = declaredSlots(catalog, capability);
  const template = catalog.cml.get(capability.name);
  const isView = viewOf(catalog, capability) !== null;
  if (template === undefined || isView || !CHANGES.has(capability.kind)) return { slots, union };
  const read = readSlots(catalog, capability, slots, template);
  const before = new Set(preflightParameters(capability));
  const useful = slots.filter(
    ({ name, required }) => required || read.has(name) || before.has(name),
  );
  return { slots: useful, union };
});

/**
 * The declared arguments of a capability. Slots that the identity of the row gives are left out, unless the
 * template also reads them outside the path, as a rename does (RUN-010).
 */
const declaredSlots = oncePerCapability((catalog, capability): CapabilitySlots => {
  const given = givenByIdentity(catalog, capability);
  const outside = readOutsidePath(catalog, capability);
  const free = slotsOf(capability).filter(
    (slot) => !given.has(slot.name) || (!slot.required && outside.has(slot.name)),
  );
  const path = pathArguments(catalog, capability);
  const scope = new Map(viewOf(catalog, capability)?.scope.map((each) => [each.name, each]));
  const slots = [
    ...free.map((slot) => scopedSlot(slot, scope.get(slot.name))),
    ...path.map((name) => pathSlot(name, scope.get(name))),
  ];
  return { slots, union: rootUnion(capability) ?? null };
});

/** What a view's scope requires its caller gives, but for what the session gives it (RUN-100). */
function scopedSlot(slot: Slot, scope: ViewScope | undefined): Slot {
  if (scope === undefined) return slot;
  return { ...slot, required: scope.inject === undefined && (slot.required || scope.required) };
}

/**
 * The path variables that are required text arguments (RUN-011, TEACH-3), and required scope parameters
 * of views alike: nothing declared, no identity and no preflight binds them. That of a create's receiver is one too: the create may be called without.
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
  return ownBindings(catalog, capability, template).flatMap(({ variable, source }) => {
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
  return readSlots(catalog, capability, slots, template);
});

function readSlots(
  catalog: Catalog,
  capability: Capability,
  slots: readonly Slot[],
  template: RequestTemplate,
): ReadonlySet<string> {
  const read = new Set(variablesRead(template));
  if (read.has("input") || callsFunction(template)) return new Set(slots.map(({ name }) => name));
  const spread = [...splatParts(catalog.cgs, capability)].flatMap(([part, { slot }]) =>
    read.has(part) ? [slot] : [],
  );
  return new Set([...slots.map(({ name }) => name).filter((name) => read.has(name)), ...spread]);
}

/**
 * The required slots of a capability whose values no request carries: whatever is given for them is never sent.
 * It is a mistake of the catalog (MAP-004).
 */
export const unsentSlots = oncePerCapability((catalog, capability): ReadonlySet<string> => {
  const template = catalog.cml.get(capability.name);
  if (template === undefined) return new Set();
  const read = sentSlots(catalog, capability);
  const carried = variablesSent(template);
  const isLost = (name: string): boolean =>
    variablesRead(template).includes(name) && !carried.has(name);
  const sent = new Set([...read].filter((name) => !isLost(name)));
  const before = new Set(preflightParameters(capability));
  const { slots } = capabilitySlots(catalog, capability);
  const unsent = slots.filter(
    ({ name, required }) => required && !sent.has(name) && !before.has(name),
  );
  return new Set(unsent.map(({ name }) => name));
});

/**
 * The slots of an effect by which its request names the row that it is called on: references to its entity
 * that are named after it, or that are the only way its path says which row is meant.
 */
export const receiverSlots = oncePerCapability((catalog, capability): ReadonlySet<string> => {
  const entity = catalog.cgs.entities.get(capability.entity);
  const template = catalog.cml.get(capability.name);
  if (
    entity === undefined ||
    template === undefined ||
    anchorUse(catalog, capability) === "never"
  ) {
    return new Set();
  }
  const bindings = ownBindings(catalog, capability, template);
  const isOpen = !bindings.some(
    ({ source }) => source.kind === "identity" || source.kind === "key",
  );
  const inPath = new Set(bindings.map(({ variable }) => variable));
  const named = new Set([entity.name, `${entity.name}_id`].map(folded));
  const found = capabilitySlots(catalog, capability).slots.filter((slot) => {
    const type = declaredSlotType(slot);
    const isOwn = type?.kind === "entity_ref" && type.target === entity.name;
    if (!isOwn || entity.fields.has(slot.name)) return false;
    return named.has(folded(slot.name)) || (isOpen && inPath.has(slot.name));
  });
  return new Set(found.map(({ name }) => name));
});

const folded = (name: string): string => name.toLowerCase().replaceAll("_", "");

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
  for (const { variable, source } of ownBindings(catalog, capability, template)) {
    if (source.kind === "identity" || source.kind === "key") names.add(variable);
  }
  return names;
}

/** How path variables, or the scope of a view, are bound. */
function ownBindings(
  catalog: Catalog,
  capability: Capability,
  template: RequestTemplate,
): readonly PathBinding[] {
  const view = viewOf(catalog, capability);
  if (view !== null) return scopeBindings(catalog.cgs, capability, view);
  return pathBindings(catalog, capability, template);
}

function readOutsidePath(catalog: Catalog, capability: Capability): ReadonlySet<string> {
  const template = catalog.cml.get(capability.name);
  return new Set(template === undefined ? [] : restVariables(template));
}

function pathSlot(name: string, scope: ViewScope | undefined): Slot {
  return {
    name,
    input: { kind: "value", type: scope?.type ?? { kind: "string", semantics: "short" } },
    required: true,
    description: "",
    role: "filter",
  };
}
