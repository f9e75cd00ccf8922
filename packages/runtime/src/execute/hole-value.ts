import type { Json, ValueType } from "@plasm/core";
import { isArray, isObject, isScalar, typeName } from "../json-kinds.ts";
import { decimalOf } from "../rows/compare-cells.ts";
import { wireDate } from "../rows/relative-date.ts";
import { instantOf } from "../rows/instant.ts";
import { failure, RunFailure } from "../run-failure.ts";

/** Where a filled hole goes: its slot, for messages, and the slot's type. */
export interface HoleSlot {
  readonly name: string;
  readonly type: ValueType;
}

function unfit(value: Json, slot: HoleSlot, form: string): RunFailure {
  return new RunFailure(
    failure(
      "argument_invalid",
      `${slot.name} takes ${form}, not ${typeName(value)}.`,
      `give ${slot.name} ${form}`,
    ),
  );
}

function numberHole(value: Json, slot: HoleSlot): Json {
  const decimal = decimalOf(value);
  if (decimal === null) throw unfit(value, slot, "a number");
  if (slot.type.kind === "integer" && !decimal.eq(decimal.round(0, 0))) {
    throw unfit(value, slot, "a whole number");
  }
  return value;
}

function dateHole(value: Json, from: ValueType, slot: HoleSlot): Json {
  if (slot.type.kind !== "date") return value;
  const instant = from.kind === "date" ? instantOf(value, from.format) : null;
  const text = instant === null ? value : new Date(instant.ms).toISOString();
  const bare = instant?.bare === true && typeof value === "string" ? value : text;
  const wire = typeof bare === "string" ? wireDate(bare, slot.type.format) : null;
  if (wire === null) throw unfit(value, slot, "a date");
  return wire;
}

/** A cell as a slot of a type takes it, checked again now that it is known (LANG-045, PLAN-064). */
export function holeValue(value: Json, from: ValueType, slot: HoleSlot): Json {
  const { type } = slot;
  if (value === null) return null;
  switch (type.kind) {
    case "string":
      if (!isScalar(value)) throw unfit(value, slot, "text");
      return String(value);
    case "uuid":
    case "blob":
      if (typeof value !== "string") throw unfit(value, slot, "text");
      return value;
    case "select": {
      const text = isScalar(value) ? String(value) : null;
      const legal = type.options.length === 0 || (text !== null && type.options.includes(text));
      if (text === null || !legal) throw unfit(value, slot, `one of ${type.options.join(", ")}`);
      return text;
    }
    case "number":
    case "integer":
      return numberHole(value, slot);
    case "boolean":
      if (typeof value === "boolean") return value;
      if (value === "true" || value === "false") return value === "true";
      throw unfit(value, slot, "true or false");
    case "date":
      return dateHole(value, from, slot);
    case "multi_select":
    case "array":
      return isArray(value) ? value : [value];
    case "entity_ref":
      if (!isScalar(value) && !isObject(value)) throw unfit(value, slot, `a ${type.target}`);
      return value;
    case "json":
      return value;
  }
}
