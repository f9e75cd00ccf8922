import {
  type Capability,
  type InputField,
  type Json,
  rootUnion,
  type Slot,
  slotsOf,
} from "@plasm/core";

/**
 * The slots of a capability by name. Where its whole input is a union, those of the variant that `told`,
 * the discriminator's value, names; of all variants if it names none (RUN-017).
 */
export function argumentSlots(
  capability: Capability,
  told: (discriminator: string) => Json | undefined,
): ReadonlyMap<string, Slot | InputField> {
  const union = rootUnion(capability);
  const value = union === undefined ? undefined : told(union.wireField);
  const all = union?.variants ?? [];
  const named = all.filter(({ wireValue }) => JSON.stringify(wireValue) === JSON.stringify(value));
  const variants = named.length > 0 ? named : all;
  const slots = [...variants.flatMap(({ fields }) => fields), ...slotsOf(capability)];
  return new Map(slots.map((slot) => [slot.name, slot]));
}
