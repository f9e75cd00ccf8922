import type { Json } from "../values/json.ts";
import type { Capability } from "./capability.ts";
import type { InputType } from "./input.ts";
import { rootUnion, slotsOf } from "./slots-of.ts";

/** An input that is an object told apart by a discriminator field (RUN-017). */
export type UnionInput = Extract<InputType, { readonly kind: "union" }>;

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
  if (rootUnion(capability) !== undefined) return true;
  return slotsOf(capability).some((slot) => hasUnion(slot.input));
}

/** The discriminator of a union as a slot: a select of the values its variants have on the wire. */
export function discriminatorInput(union: UnionInput): InputType {
  const options = union.variants.map((variant) => wireText(variant.wireValue));
  return { kind: "value", type: { kind: "select", options } };
}

function wireText(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
