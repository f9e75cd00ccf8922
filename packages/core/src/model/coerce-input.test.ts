import { expect, test } from "vitest";
import { coerceInput, wireInput } from "./coerce-input.ts";
import type { InputField, InputType } from "./input.ts";

const field = (name: string, input: InputType, more: Partial<InputField> = {}): InputField => ({
  name,
  input,
  required: false,
  description: "",
  role: "filter",
  wireJsonPath: [],
  ...more,
});
const text: InputType = { kind: "value", type: { kind: "string", semantics: "short" } };
const count: InputType = { kind: "value", type: { kind: "integer" } };
const day: InputType = { kind: "value", type: { kind: "date", format: "unix_sec" } };
const array = (element: InputType): InputType => ({ kind: "array", element });
const object = (...fields: readonly InputField[]): InputType => ({
  kind: "object",
  fields,
  additionalFields: true,
});

const union: InputType = {
  kind: "union",
  wireField: "op",
  variants: [
    {
      name: "move",
      description: "",
      wireValue: "mv",
      fields: [field("to", text, { wireJsonPath: ["dest", "code"] })],
    },
    { name: "drop", description: "", wireValue: 2, fields: [] },
  ],
};

test.each<[string, InputType, Parameters<typeof wireInput>[1], unknown]>([
  ["scalars stay", text, "a", "a"],
  [
    "members stay where no path is given",
    object(field("a", text)),
    { a: "x", z: 1 },
    { a: "x", z: 1 },
  ],
  [
    "paths nest and meet",
    object(
      field("a", text, { wireJsonPath: ["p", "a"] }),
      field("b", text, { wireJsonPath: ["p", "b"] }),
    ),
    { a: "x", b: "y" },
    { p: { a: "x", b: "y" } },
  ],
  [
    "elements are wrapped",
    object(field("ids", array(count), { wireArrayElementKey: "id" })),
    { ids: [1, 2] },
    { ids: [{ id: 1 }, { id: 2 }] },
  ],
  ["a variant's members nest", union, { op: "mv", to: "x" }, { op: "mv", dest: { code: "x" } }],
  ["variants by any value", array(union), [{ op: 2 }], [{ op: 2 }]],
  ["null stays", object(field("a", array(text))), { a: null }, { a: null }],
])("RUN-017: %s", (_, input, value, wire) => {
  expect(wireInput(input, value)).toEqual(wire);
});

test.each<[string, InputType, Parameters<typeof coerceInput>[1], unknown]>([
  ["at any depth", object(field("n", array(count))), { n: ["1", 2] }, { value: { n: [1, 2] } }],
  ["one as a list", array(text), 5, { value: ["5"] }],
  [
    "dates by their format",
    object(field("d", day)),
    { d: "2026-01-05" },
    { value: { d: 1767571200 } },
  ],
  ["by the variant", union, { op: "mv", to: 7 }, { value: { op: "mv", to: "7" } }],
  ["what is undeclared stays", object(), { z: [1] }, { value: { z: [1] } }],
  ["null passes", text, null, { value: null }],
  ["by its members", union, { to: 7 }, { value: { op: "mv", to: "7" } }],
  ["no variant", union, { op: "other" }, { takes: 'an object whose op is one of "mv", 2' }],
  ["none by its members", union, { by: 7 }, { takes: 'an object whose op is one of "mv", 2' }],
  ["several by its members", union, {}, { takes: 'an object whose op is one of "mv", 2' }],
  ["a wrong member", object(field("n", count)), { n: "x" }, { takes: "n: a whole number" }],
  ["no object", object(), "x", { takes: "an object" }],
  [
    "a missing member",
    object(field("a", text, { required: true }), field("b", text, { required: true })),
    { c: 1 },
    { takes: "an object with a, b" },
  ],
  [
    "null for a required one",
    object(field("a", text, { required: true })),
    { a: null },
    { takes: "an object with a" },
  ],
  [
    "a member too many",
    { kind: "object", fields: [field("a", text)], additionalFields: false },
    { a: "x", z: 1 },
    { takes: "an object of a without z" },
  ],
  [
    "a member of another variant",
    union,
    { op: 2, to: "x" },
    { takes: "an object of no members without to" },
  ],
  ["too few", { kind: "array", element: text, minLength: 1 }, [], { takes: "at least 1 elements" }],
])("PLAN-064: %s", (_, input, value, coerced) => {
  expect(coerceInput(input, value)).toEqual(coerced);
});
