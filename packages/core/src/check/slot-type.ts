import type { InputType, Slot } from "../schema/input.ts";
import type { ValueType } from "../values/value-type.ts";

/** The type a slot takes as one value; objects and unions are read as json (LANG-040). */
export function slotType(slot: Slot): ValueType {
  return inputType(slot.input);
}

function inputType(input: InputType): ValueType {
  switch (input.kind) {
    case "value":
      return input.type;
    case "array": {
      const items = inputType(input.element);
      return items.kind === "array" ? { kind: "json" } : { kind: "array", items };
    }
    case "none":
    case "object":
    case "union":
      return { kind: "json" };
  }
}

/** Whether a slot takes a list, so that `in` is sent as one value (RUN-111). */
export function takesList(slot: Slot): boolean {
  const { kind } = slotType(slot);
  return kind === "array" || kind === "multi_select";
}

/** Whether a slot only controls the answer: set by name, never tested, and no bound on a read (RUN-111). */
export function isControl(slot: Slot): boolean {
  switch (slot.role) {
    case "sort":
    case "sort_direction":
    case "response_control":
      return true;
    case "filter":
    case "search":
    case "scope":
      return false;
  }
}
