import { canonicalDate, coerceValue, instantOf, type Json, type ValueType } from "@plasm/core";
import { isObject, typeName } from "../json-kinds.ts";
import { failure, RunFailure } from "../run-failure.ts";

/** Where a filled hole goes: its slot, for messages, and the slot's type. */
export interface HoleSlot {
  readonly name: string;
  readonly type: ValueType;
}

/** The failure of a value that its slot does not take (LANG-045). */
export function unfitValue(value: Json, slot: string, takes: string): RunFailure {
  return new RunFailure(
    failure(
      "argument_invalid",
      `${slot} takes ${takes}, not ${typeName(value)}.`,
      `give ${slot} ${takes}`,
    ),
  );
}

/** A date as text that means the same whatever format it came in; other values as they are. */
function dateText(value: Json, from: ValueType): Json {
  const instant = from.kind === "date" ? instantOf(value, from.format) : null;
  return instant === null ? value : canonicalDate(instant);
}

/** A cell as a slot of a type takes it, checked again now that it is known (LANG-045, PLAN-064). */
export function holeValue(value: Json, from: ValueType, slot: HoleSlot): Json {
  if (value === null) return null;
  // Only the key of a reference is text; another object is not, however small.
  if (slot.type.kind === "string" && isObject(value) && from.kind !== "entity_ref") {
    throw unfitValue(value, slot.name, "text");
  }
  const plain = slot.type.kind === "date" ? dateText(value, from) : value;
  const coerced = coerceValue(plain, slot.type);
  if ("takes" in coerced) throw unfitValue(value, slot.name, coerced.takes);
  return coerced.value;
}
