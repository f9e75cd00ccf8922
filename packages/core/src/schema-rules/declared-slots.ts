import type { CapabilityDoc } from "../load/format/capability-shape.ts";
import type { InputTypeDoc, SlotDoc, VariantDoc } from "../load/format/input-shape.ts";
import type { KeyPath } from "../load/key-path.ts";

/** A slot as the file declares it, at any depth, and where. */
export interface DeclaredSlot {
  readonly slot: SlotDoc;
  readonly path: KeyPath;
}

/** A union as the file declares it, and where. */
export interface DeclaredUnion {
  readonly variants: readonly VariantDoc[];
  readonly path: KeyPath;
}

/** Every slot of a capability: parameters, input fields and variant fields, at any depth. */
export function declaredSlots(name: string, capability: CapabilityDoc): readonly DeclaredSlot[] {
  return collect(name, capability).slots;
}

/** Every union in the input of a capability, at any depth. */
export function declaredUnions(name: string, capability: CapabilityDoc): readonly DeclaredUnion[] {
  return collect(name, capability).unions;
}

interface Collected {
  readonly slots: DeclaredSlot[];
  readonly unions: DeclaredUnion[];
}

function collect(name: string, capability: CapabilityDoc): Collected {
  const found: Collected = { slots: [], unions: [] };
  const path = ["capabilities", name];
  collectSlots(capability.parameters, [...path, "parameters"], found);
  const input = capability.input_schema?.input_type;
  if (input !== undefined) collectInput(input, [...path, "input_schema", "input_type"], found);
  return found;
}

function collectSlots(slots: readonly SlotDoc[], path: KeyPath, found: Collected): void {
  slots.forEach((slot, at) => {
    const own = [...path, at];
    found.slots.push({ slot, path: own });
    if (slot.input_type !== undefined) collectInput(slot.input_type, [...own, "input_type"], found);
  });
}

function collectInput(input: InputTypeDoc, path: KeyPath, found: Collected): void {
  switch (input.type) {
    case "none":
    case "value":
      return;
    case "object":
      collectSlots(input.fields, [...path, "fields"], found);
      return;
    case "array":
      collectInput(input.element_type, [...path, "element_type"], found);
      return;
    case "union":
      found.unions.push({ variants: input.variants, path });
      input.variants.forEach((variant, at) => {
        collectSlots(variant.fields, [...path, "variants", at, "fields"], found);
      });
  }
}
