import { expect, test } from "vitest";
import { buildCatalog } from "../../test/build-catalog.ts";
import { exposureOf } from "../../test/exposure-of.ts";
import { errorsOf, planOf } from "../../test/plan-of.ts";
import { ALL_FEATURES } from "../policy/policy.ts";

const settings = { features: ALL_FEATURES };
const variable = (name: string) => ({ type: "var", name });
const object = (...names: readonly string[]) => ({
  type: "object",
  fields: names.map((name) => [name, variable(name)]),
});
const onCrate = (verb: string) => [
  { type: "literal", value: "crates" },
  variable("id"),
  { type: "literal", value: verb },
];
const done = () => ({ output: { type: "side_effect", description: "it is done" } });

const mark = {
  kind: "action",
  entity: "Crate",
  params: { "notes?": "str", "roles?": "[str]", "size?": "int", to: "str" },
} as const;

/** A crate whose marking has rules, and whose other methods send arguments where null cannot stand. */
const catalog = buildCatalog("stores", {
  entities: { Crate: { fields: { id: "str", notes: "str", roles: "[str]" } } },
  capabilities: {
    crate_get: { kind: "get", entity: "Crate" },
    crate_mark: {
      ...mark,
      more: () => ({
        ...done(),
        input_schema: {
          input_type: { type: "object", fields: [] },
          validation: {
            allow_null: true,
            predicates: [
              { field_path: "notes", operator: "min_length", value: 1 },
              { field_path: "notes", operator: "max_length", value: 5 },
              { field_path: "roles", operator: "min_length", value: 1 },
              { field_path: "roles", operator: "max_length", value: 2 },
              { field_path: "size", operator: "min_value", value: 1 },
            ],
          },
        },
      }),
      mapping: {
        method: "POST",
        path: onCrate("mark"),
        body: object("notes", "roles", "size", "to"),
      },
    },
    crate_form: {
      ...mark,
      more: done,
      mapping: {
        method: "POST",
        path: onCrate("form"),
        query: object("notes"),
        headers: object("roles"),
        body_format: "form_urlencoded",
        body: object("size", "to"),
      },
    },
  },
});
const stores = exposureOf([catalog]);

const call = (method: string): string => `Crate(c).${method}`;

test.each([
  ['mark(to=x, notes="")', '""', "notes has at least 1"],
  ['mark(to=x, notes="sixsix")', '"sixsix"', "notes has at most 5"],
  ["mark(to=x, roles=[])", "[]", "roles has at least 1"],
  ["mark(to=x, roles=[a, b, c])", "[a, b, c]", "roles has at most 2"],
  ["mark(to=x, size=0)", "0", "size is at least 1"],
])("RUN-016 %s is refused when planned", (method, at, text) => {
  const program = call(method);
  const [error, ...more] = errorsOf(program, stores, settings);
  expect(more).toEqual([]);
  expect(error?.code).toBe("argument_invalid");
  expect(program.slice(error?.span.start, error?.span.end)).toBe(at);
  expect(error?.correction).toContain(text);
});

test.each([
  ["items are counted, not their letters", "mark(to=x, roles=[longer, words])"],
  ["one element is a list of one", "mark(to=x, roles=[a])"],
  ["null passes where it may stand", "mark(to=x, notes=null, roles=null)"],
])("RUN-016 %s", (_, method) => {
  expect(planOf(call(method), stores, settings).nodes).toHaveLength(1);
});

test.each([
  [
    "optional, in a query",
    "form(to=x, notes=null)",
    "notes",
    "give notes text, or leave notes out",
  ],
  [
    "optional, in a header",
    "form(to=x, roles=null)",
    "roles",
    "give roles a list, [str], or leave roles out",
  ],
  [
    "optional, in a form",
    "form(to=x, size=null)",
    "size",
    "give size a whole number, or leave size out",
  ],
  ["required", "form(to=null)", "to", "give to text"],
  ["an element", "mark(to=x, roles=[a, null])", "roles", "give roles text"],
])("LANG-042, MAP-022 null where it cannot stand: %s", (_, method, slot, fix) => {
  const program = call(method);
  const [error, ...more] = errorsOf(program, stores, settings);
  expect(more).toEqual([]);
  expect(error).toMatchObject({
    code: "argument_invalid",
    message: `${slot} cannot be null here.`,
  });
  expect(program.slice(error?.span.start, error?.span.end)).toBe("null");
  expect(error?.correction).toBe(fix);
});
