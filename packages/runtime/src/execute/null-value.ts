import type { PlanValue } from "@plasm/core";
import { failure, RunFailure } from "../run-failure.ts";
import type { Engine } from "./engine.ts";
import type { Feed } from "./feed.ts";
import { rowsName } from "./rows-name.ts";

/** Whether a value, or a part of it, is known only when the plan runs. */
export function hasHole(value: PlanValue): boolean {
  if ("from" in value || "row" in value) return true;
  if ("list" in value) return value.list.some(hasHole);
  if ("obj" in value) return Object.values(value.obj).some(hasHole);
  return "ref" in value && Object.values(value.ref.key).some(hasHole);
}

function placeOf(value: PlanValue | undefined, engine: Engine, feed: Feed): string {
  if (value !== undefined && "from" in value) {
    const { from, path } = value;
    const name = rowsName(engine, from);
    return path.length === 0 ? `the row of ${name}` : `${path.join(".")} of ${name}`;
  }
  if (value === undefined || !("row" in value) || feed.item === null)
    return "the row it comes from";
  const { row, index } = feed.item;
  const name = row.base?.identity?.text;
  return `${value.row.join(".")} of row ${index}${name === undefined ? "" : ` (${name})`}`;
}

/** The failure of a slot that must have a value and is filled with null (LANG-045); names row and path. */
export function nullValue(
  engine: Engine,
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
