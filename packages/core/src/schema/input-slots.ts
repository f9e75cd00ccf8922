import type { Capability } from "./capability.ts";
import type { InputType, Slot } from "./input.ts";

/** An input that is an object told apart by a discriminator field (RUN-017). */
export type UnionInput = Extract<InputType, { kind: "union" }>;

/** What a capability takes by name (catalog format, section 8; RUN-013). */
export interface InputSlots {
  /** parameters, then the fields of an object body, then `input` for a body that is one value */
  readonly slots: readonly Slot[];
  /** set where the whole body is a union: its members are arguments too */
  readonly union: UnionInput | null;
}

/** The declared arguments of a capability, in declared order. */
export function inputSlots(capability: Capability): InputSlots {
  const { parameters, inputSchema } = capability;
  const input = inputSchema?.input;
  switch (input?.kind) {
    case undefined:
    case "none":
      return { slots: parameters, union: null };
    case "object":
      return { slots: [...parameters, ...input.fields], union: null };
    case "union":
      return { slots: parameters, union: input };
    case "value":
    case "array":
      return {
        slots: [...parameters, rootSlot(input, inputSchema?.description ?? "")],
        union: null,
      };
  }
}

function rootSlot(input: InputType, description: string): Slot {
  return { name: "input", input, required: true, description, role: "filter" };
}
