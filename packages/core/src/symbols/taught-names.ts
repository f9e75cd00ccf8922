import type { Catalog } from "../mapping/catalog.ts";
import { pathArguments } from "../mapping/capability-slots.ts";
import { capabilitiesByLabel } from "../schema/capabilities-by-label.ts";
import type { Capability } from "../schema/capability.ts";
import type { InputType, Slot } from "../schema/input.ts";
import { rootUnion, slotsOf } from "../schema/slots-of.ts";

/**
 * The names of an entity that get a `p#` (TEACH-3): fields, relations, parameters at any depth by
 * their last segment, path variables that are arguments (RUN-011), and discriminators of unions. Of the
 * capabilities those that count, all of them where nothing else is said.
 */
export function taughtNames(
  catalog: Catalog,
  entity: string,
  counts: (capability: Capability) => boolean = () => true,
): ReadonlySet<string> {
  const names = new Set<string>();
  const owner = catalog.cgs.entities.get(entity);
  for (const field of owner?.fields.keys() ?? []) names.add(field);
  for (const relation of owner?.relations.keys() ?? []) names.add(relation);
  for (const capability of capabilitiesByLabel(catalog.cgs, entity).filter(counts)) {
    addSlots(slotsOf(capability), names);
    const union = rootUnion(capability);
    if (union !== undefined) addInput(union, names);
    for (const name of pathArguments(catalog, capability)) names.add(name);
  }
  return names;
}

function addSlots(slots: readonly Slot[], names: Set<string>): void {
  for (const slot of slots) {
    names.add(slot.name);
    addInput(slot.input, names);
  }
}

function addInput(input: InputType, names: Set<string>): void {
  switch (input.kind) {
    case "none":
    case "value":
      return;
    case "object":
      addSlots(input.fields, names);
      return;
    case "array":
      addInput(input.element, names);
      return;
    case "union":
      names.add(input.wireField);
      for (const variant of input.variants) addSlots(variant.fields, names);
  }
}
