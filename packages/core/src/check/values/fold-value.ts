import type { Json, JsonObject } from "../../values/json.ts";
import type { TypedValue } from "../typed-program.ts";

/** A list; one constant if all its items are (plan specification, section 2). */
export function foldList(items: readonly TypedValue[]): TypedValue {
  const constants: Json[] = [];
  for (const item of items) {
    if (item.kind !== "lit") return { kind: "list", items };
    constants.push(item.value);
  }
  return { kind: "lit", value: constants };
}

/** An object; one constant if all its members are. */
export function foldObject(entries: ReadonlyMap<string, TypedValue>): TypedValue {
  const constants: [string, Json][] = [];
  for (const [key, value] of entries) {
    if (value.kind !== "lit") return { kind: "object", entries };
    constants.push([key, value.value]);
  }
  return { kind: "lit", value: jsonObject(constants) };
}

/** An object of own members only, whatever their names (`__proto__` included). */
export function jsonObject(entries: readonly (readonly [string, Json])[]): JsonObject {
  return Object.fromEntries(entries);
}
