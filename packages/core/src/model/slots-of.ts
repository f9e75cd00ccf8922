import type { Capability } from "./model.ts";
import type { InputType, Slot, Variant } from "./input.ts";
import type { Json } from "../values/value-type.ts";

/**
 * The named arguments of a capability: its parameters, then the fields of its input object
 * (CAT-091). A root `value` or `array` input is the one argument `input`; of a root union see
 * {@link rootUnion} (RUN-013, RUN-017).
 */
export function slotsOf(capability: Capability): readonly Slot[] {
  const schema = capability.inputSchema;
  if (schema === undefined) return capability.parameters;
  return [...capability.parameters, ...inputSlots(schema.input, schema.description)];
}

function inputSlots(input: InputType, description: string): readonly Slot[] {
  switch (input.kind) {
    case "object":
      return input.fields;
    case "value":
    case "array":
      return [{ name: "input", input, required: true, description, role: "filter" }];
    case "none":
    case "union":
      return [];
  }
}

/** The union whose members are a capability's arguments, if its whole input is one (RUN-017). */
export function rootUnion(
  capability: Capability,
): Extract<InputType, { readonly kind: "union" }> | undefined {
  const input = capability.inputSchema?.input;
  return input?.kind === "union" ? input : undefined;
}

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

/**
 * The variant of a union value that lacks its discriminator: the only one that has all the members given
 * and requires no others (RUN-017); null if none or several do.
 */
export function fittingVariant(union: UnionInput, names: readonly string[]): Variant | null {
  const fitting = union.variants.filter(({ fields }) => {
    const known = new Set(fields.map(({ name }) => name));
    const required = fields.filter((field) => field.required);
    return (
      names.every((name) => known.has(name)) && required.every(({ name }) => names.includes(name))
    );
  });
  const [only, ...others] = fitting;
  return only !== undefined && others.length === 0 ? only : null;
}

/** The discriminator of a union as a slot: a select of the values its variants have on the wire. */
export function discriminatorInput(union: UnionInput): InputType {
  const options = union.variants.map((variant) => wireText(variant.wireValue));
  return { kind: "value", type: { kind: "select", options } };
}

function wireText(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
