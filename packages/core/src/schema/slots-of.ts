import type { Capability } from "./capability.ts";
import type { InputType, Slot } from "./input.ts";

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
