import type { Capability } from "./capability.ts";
import type { InputType } from "./input.ts";
import { inputSlots, type UnionInput } from "./input-slots.ts";
import type { Json } from "../values/json.ts";

/** Whether an input has, at any depth, an object told apart by a discriminator. */
export function hasUnion(input: InputType): boolean {
  switch (input.kind) {
    case "none":
    case "value":
      return false;
    case "union":
      return true;
    case "array":
      return hasUnion(input.element);
    case "object":
      return input.fields.some((field) => hasUnion(field.input));
  }
}

/** Whether any argument of a capability has a union in it. */
export function takesUnion(capability: Capability): boolean {
  const { slots, union } = inputSlots(capability);
  return union !== null || slots.some((slot) => hasUnion(slot.input));
}

/** The discriminator of a union as a slot: a select of the values its variants have on the wire. */
export function discriminatorInput(union: UnionInput): InputType {
  const options = union.variants.map((variant) => wireText(variant.wireValue));
  return { kind: "value", type: { kind: "select", options } };
}

function wireText(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
