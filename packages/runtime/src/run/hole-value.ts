import type { Json, PlanValue, ValueType } from "@plasm/core";
import { canonicalDate, coerceValue, instantOf, keptName } from "@plasm/core/internal";
import { isObject, typeName } from "../base/json-kinds.ts";
import { failure, RunFailure } from "../base/run-failure.ts";
import { type RunEngine, rowsName } from "./engine.ts";
import type { Feed } from "./feed.ts";

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

/** Whether a value, or a part of it, is known only when the plan runs. */
export function hasHole(value: PlanValue): boolean {
  if ("from" in value || "row" in value || "total" in value) return true;
  if ("list" in value) return value.list.some(hasHole);
  if ("args" in value) return keptName(value) !== null || value.args.some(hasHole);
  if ("obj" in value) return Object.values(value.obj).some(hasHole);
  return "ref" in value && Object.values(value.ref.key).some(hasHole);
}

function placeOf(value: PlanValue | undefined, engine: RunEngine, feed: Feed): string {
  if (value !== undefined && "from" in value) {
    const { from, path } = value;
    const name = rowsName(engine, from);
    return path.length === 0 ? `the row of ${name}` : `${path.join(".")} of ${name}`;
  }
  const cell =
    value !== undefined && "row" in value
      ? value.row.join(".")
      : value !== undefined && "total" in value
        ? value.of
        : null;
  if (cell === null || feed.item === null) return "the row it comes from";
  const { row, index } = feed.item;
  const name = row.base?.identity?.text;
  return `${cell} of row ${index}${name === undefined ? "" : ` (${name})`}`;
}

/** The failure of a slot that must have a value and is filled with null (LANG-045); names row and path. */
export function nullValue(
  engine: RunEngine,
  feed: Feed,
  slot: string,
  value: PlanValue | undefined,
): RunFailure {
  const path =
    value === undefined ? [] : "from" in value ? value.path : "row" in value ? value.row : [];
  const column = path.length === 0 ? slot : path.join(".");
  return new RunFailure(
    failure(
      "null_value",
      `${slot} needs a value, and ${placeOf(value, engine, feed)} is null.`,
      `leave such rows out with a filter exists(${column})`,
    ),
  );
}
