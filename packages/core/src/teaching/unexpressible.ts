import type { Catalog } from "../mapping/catalog.ts";
import { capabilitySlots } from "../mapping/capability-slots.ts";
import type { Capability } from "../schema/capability.ts";
import type { InputType } from "../schema/input.ts";

/**
 * Whether a capability needs an argument that no program can write: a list of lists (LANG-040) or a
 * union without variants.
 */
export function unexpressible(catalog: Catalog, capability: Capability): boolean {
  const { slots, union } = capabilitySlots(catalog, capability);
  if (union !== null && isUnwritable(union)) return true;
  return slots.some((slot) => slot.required && isUnwritable(slot.input));
}

function isUnwritable(input: InputType): boolean {
  switch (input.kind) {
    case "none":
      return false;
    case "value":
      return input.type.kind === "array" && isList(input.type.items.kind);
    case "array":
      return isListInput(input.element) || isUnwritable(input.element);
    case "object":
      return input.fields.some((field) => field.required && isUnwritable(field.input));
    case "union":
      return input.variants.every((variant) =>
        variant.fields.some((field) => field.required && isUnwritable(field.input)),
      );
  }
}

function isListInput(input: InputType): boolean {
  return input.kind === "array" || (input.kind === "value" && isList(input.type.kind));
}

function isList(kind: string): boolean {
  return kind === "array" || kind === "multi_select";
}
