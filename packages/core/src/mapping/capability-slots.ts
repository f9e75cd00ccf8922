import type { Capability } from "../schema/capability.ts";
import type { Slot } from "../schema/input.ts";
import { inputSlots, type UnionInput } from "../schema/input-slots.ts";
import type { Catalog } from "./catalog.ts";
import { declaredNames, identityNames, splatNames } from "./identity-names.ts";
import {
  callsFunction,
  expressionVariables,
  pathVariables,
  restExpressions,
} from "./template-variables.ts";

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
export function capabilitySlots(catalog: Catalog, capability: Capability): CapabilitySlots {
  const { slots, union } = inputSlots(capability);
  const given = identityNames(catalog, capability);
  const outside = given.size === 0 ? given : readOutsidePath(catalog, capability);
  const free = slots.flatMap((slot) => {
    if (!given.has(slot.name)) return [slot];
    return outside.has(slot.name) && !slot.required ? [slot] : [];
  });
  const path = pathArguments(catalog, capability);
  return { slots: [...free, ...path.map(pathSlot)], union };
}

/** The path variables that RUN-011 makes required text arguments. */
export function pathArguments(catalog: Catalog, capability: Capability): readonly string[] {
  const template = catalog.cml.get(capability.name);
  if (template === undefined) return [];
  const declared = declaredNames(catalog, capability);
  const given = identityNames(catalog, capability);
  return pathVariables(template).filter((name) => !declared.has(name) && !given.has(name));
}

/**
 * The declared slots of a capability that its template, view scope, splat or preflight reads: those
 * a condition can be sent by (MAP-004, RUN-111). A registered function reads the whole environment.
 */
export function sentSlots(catalog: Catalog, capability: Capability): ReadonlySet<string> {
  const names = capabilitySlots(catalog, capability).slots.map((slot) => slot.name);
  const template = catalog.cml.get(capability.name);
  if (template === undefined) return new Set();
  if (template.transport === "view") {
    const scope = catalog.cgs.views.get(template.view)?.scope ?? [];
    return new Set(names.filter((name) => scope.some((item) => item.name === name)));
  }
  const read = new Set([...pathVariables(template), ...readOutsidePath(catalog, capability)]);
  if (read.has("*")) return new Set(names);
  const splat = splatNames(catalog, capability).some((name) => read.has(name));
  const isSplat = (slot: Slot): boolean =>
    splat && slot.role === "scope" && slot.input.kind === "value";
  const { slots } = capabilitySlots(catalog, capability);
  return new Set(
    slots.flatMap((slot) => (read.has(slot.name) || isSplat(slot) ? [slot.name] : [])),
  );
}

/** Variables read by query, headers, body and arguments; `*` stands for all of them. */
function readOutsidePath(catalog: Catalog, capability: Capability): ReadonlySet<string> {
  const template = catalog.cml.get(capability.name);
  const read = new Set<string>();
  if (template === undefined) return read;
  for (const expression of restExpressions(template)) {
    for (const name of expressionVariables(expression)) read.add(name);
    if (callsFunction(expression)) read.add("*");
  }
  if (read.has("input")) read.add("*");
  return read;
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
