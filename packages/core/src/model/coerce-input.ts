import { type Coerced, coerceValue } from "../values/coerce-value.ts";
import { type Json, type JsonObject, isArray, isObject } from "../values/value-type.ts";
import type { InputField, InputType } from "./input.ts";
import { fittingVariant, type UnionInput } from "./slots-of.ts";

/**
 * A value that is known at run as an input takes it, at any depth (PLAN-064, RUN-016): scalars by their
 * declared type, a single element as a list, members by the field of their name: all required ones, and no
 * others unless more are allowed (LANG-077). Null passes: whether it may is the slot's business.
 */
export function coerceInput(input: InputType, value: Json): Coerced {
  if (value === null) return { value };
  switch (input.kind) {
    case "none":
      return { takes: "nothing" };
    case "value":
      return coerceValue(value, input.type);
    case "array":
      return coerceElements(input, Array.isArray(value) ? (value as readonly Json[]) : [value]);
    case "object":
      if (!isObject(value)) return { takes: "an object" };
      // Of an object that declares nothing, anything is a member.
      return coerceMembers(
        input.fields,
        value,
        input.additionalFields || input.fields.length === 0,
      );
    case "union":
      return isObject(value) ? coerceVariant(input, value) : { takes: "an object" };
  }
}

/** An object with its discriminator, told or clear from its members (RUN-017). */
function coerceVariant(union: UnionInput, value: JsonObject): Coerced {
  const { wireField, variants } = union;
  const told = value[wireField];
  const variant =
    told === undefined || told === null
      ? fittingVariant(union, memberNames(value, wireField))
      : variants.find(({ wireValue }) => JSON.stringify(wireValue) === JSON.stringify(told));
  if (variant === undefined || variant === null) {
    const known = variants.map(({ wireValue }) => JSON.stringify(wireValue)).join(", ");
    return { takes: `an object whose ${wireField} is one of ${known}` };
  }
  const { [wireField]: _told, ...members } = value;
  const coerced = coerceMembers(variant.fields, members, false);
  if ("takes" in coerced || !isObject(coerced.value)) return coerced;
  return { value: { [wireField]: variant.wireValue, ...coerced.value } };
}

function memberNames(value: JsonObject, but: string): readonly string[] {
  return Object.keys(value).filter((name) => name !== but);
}

function coerceElements(
  { element, minLength, maxLength }: Extract<InputType, { kind: "array" }>,
  items: readonly Json[],
): Coerced {
  if (minLength !== undefined && items.length < minLength) {
    return { takes: `at least ${minLength} elements` };
  }
  if (maxLength !== undefined && items.length > maxLength) {
    return { takes: `at most ${maxLength} elements` };
  }
  const coerced: Json[] = [];
  for (const item of items) {
    const result = coerceInput(element, item);
    if ("takes" in result) return { takes: `a list, each ${result.takes}` };
    coerced.push(result.value);
  }
  return { value: coerced };
}

function coerceMembers(fields: readonly InputField[], members: JsonObject, open: boolean): Coerced {
  const inputs = new Map(fields.map(({ name, input }) => [name, input]));
  const has = (name: string): boolean => Object.hasOwn(members, name) && members[name] !== null;
  const missing = fields.filter(({ name, required }) => required && !has(name));
  if (missing.length > 0) {
    return { takes: `an object with ${missing.map(({ name }) => name).join(", ")}` };
  }
  const coerced: [string, Json][] = [];
  for (const [name, member] of Object.entries(members)) {
    const input = inputs.get(name);
    if (input === undefined && !open) return { takes: onlyMembers(fields, name) };
    const result: Coerced = input === undefined ? { value: member } : coerceInput(input, member);
    if ("takes" in result) return { takes: `${name}: ${result.takes}` };
    coerced.push([name, result.value]);
  }
  return { value: Object.fromEntries(coerced) };
}

function onlyMembers(fields: readonly InputField[], found: string): string {
  const names = fields.map(({ name }) => name).join(", ");
  return `an object of ${names === "" ? "no members" : names} without ${found}`;
}

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
      return isArray(value) ? value.map((item) => wireInput(input.element, item)) : value;
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
  if (key === undefined || !isArray(wired)) return wired;
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
