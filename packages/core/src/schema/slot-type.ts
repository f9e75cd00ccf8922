import type { ValueType } from "../values/value-type.ts";
import type { Slot } from "./input.ts";

/** The declared type of a slot that takes one value; undefined for objects, lists and unions. */
export function slotType(slot: Slot): ValueType | undefined {
  return slot.input.kind === "value" ? slot.input.type : undefined;
}

/** The entity a slot refers to, alone or as element of an array. */
export function slotTarget(slot: Slot): string | undefined {
  const type = slotType(slot);
  const single = type?.kind === "array" ? type.items : type;
  return single?.kind === "entity_ref" ? single.target : undefined;
}
