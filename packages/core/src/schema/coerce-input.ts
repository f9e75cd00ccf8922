import { coerceValue, type Coerced } from "../values/coerce-value.ts";
import type { Json } from "../values/json.ts";
import { isObject } from "../values/key-text.ts";
import type { InputField, InputType } from "./input.ts";

/**
 * A value that is known at run as an input takes it, at any depth (PLAN-064, RUN-016): scalars by their
 * declared type, a single element as a list, members by the field of their name. Null passes, and so
 * does what is not declared: required members are the caller's business.
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
      return isObject(value)
        ? coerceMembers(input.fields, Object.entries(value))
        : { takes: "an object" };
    case "union": {
      if (!isObject(value)) return { takes: "an object" };
      const told = value[input.wireField];
      const variant = input.variants.find(
        ({ wireValue }) => JSON.stringify(wireValue) === JSON.stringify(told),
      );
      return variant === undefined
        ? { takes: `an object with ${input.wireField}` }
        : coerceMembers(variant.fields, Object.entries(value));
    }
  }
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

function coerceMembers(
  fields: readonly InputField[],
  members: readonly (readonly [string, Json])[],
): Coerced {
  const inputs = new Map(fields.map(({ name, input }) => [name, input]));
  const coerced: [string, Json][] = [];
  for (const [name, member] of members) {
    const input = inputs.get(name);
    const result: Coerced = input === undefined ? { value: member } : coerceInput(input, member);
    if ("takes" in result) return { takes: `${name}: ${result.takes}` };
    coerced.push([name, result.value]);
  }
  return { value: Object.fromEntries(coerced) };
}
