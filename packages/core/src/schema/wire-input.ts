import type { Json, JsonObject } from "../values/json.ts";
import { isObject } from "../values/key-text.ts";
import type { InputField, InputType } from "./input.ts";

/**
 * An argument as the API takes it (RUN-017): the discriminator of a union, members at their
 * `wire_json_path`, list elements wrapped under their `wire_array_element_key`. `value` has the shape
 * the catalog declares, every member known; what is not declared stays as it is.
 */
export function wireInput(input: InputType, value: Json): Json {
  switch (input.kind) {
    case "none":
    case "value":
      return value;
    case "array":
      return isList(value) ? value.map((item) => wireInput(input.element, item)) : value;
    case "object":
      return isObject(value) ? wireMembers(input.fields, value, []) : value;
    case "union": {
      if (!isObject(value)) return value;
      const told = value[input.wireField];
      const variant = input.variants.find(({ wireValue }) => sameScalar(wireValue, told));
      if (variant === undefined) return value;
      return wireMembers(variant.fields, value, [[input.wireField, variant.wireValue]]);
    }
  }
}

function wireMembers(
  fields: readonly InputField[],
  value: JsonObject,
  first: readonly (readonly [string, Json])[],
): Json {
  const whole = new Map<string, Json>(first);
  const named = new Map(fields.map((field) => [field.name, field]));
  for (const [name, member] of Object.entries(value)) {
    const field = named.get(name);
    if (field !== undefined) place(whole, pathOf(field), wireField(field, member));
    else if (!whole.has(name)) whole.set(name, member);
  }
  return Object.fromEntries(whole);
}

function pathOf(field: InputField): readonly string[] {
  return field.wireJsonPath.length === 0 ? [field.name] : field.wireJsonPath;
}

function wireField(field: InputField, value: Json): Json {
  const wired = wireInput(field.input, value);
  const key = field.wireArrayElementKey;
  if (key === undefined || !isList(wired)) return wired;
  return wired.map((item) => Object.fromEntries([[key, item]]));
}

/** Puts a value at a path, beside what other members have put under its first keys. */
function place(whole: Map<string, Json>, path: readonly string[], value: Json): void {
  const [key, ...rest] = path;
  if (key === undefined) return;
  if (rest.length === 0) {
    whole.set(key, value);
    return;
  }
  const known = whole.get(key);
  const inner = new Map(known !== undefined && isObject(known) ? Object.entries(known) : []);
  place(inner, rest, value);
  whole.set(key, Object.fromEntries(inner));
}

function sameScalar(a: Json, b: Json | undefined): boolean {
  return b !== undefined && (a === b || JSON.stringify(a) === JSON.stringify(b));
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
