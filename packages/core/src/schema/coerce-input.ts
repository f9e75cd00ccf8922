import { coerceValue, type Coerced } from "../values/coerce-value.ts";
import type { Json, JsonObject } from "../values/json.ts";
import { isObject } from "../values/key-text.ts";
import type { InputField, InputType } from "./input.ts";
import { fittingVariant, type UnionInput } from "./union-input.ts";

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
