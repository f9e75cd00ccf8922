import { expect, test } from "vitest";
import { buildCatalog } from "../../../test/build-catalog.ts";
import { effectArgs, toldErrors } from "../../../test/effect-args.ts";
import { exposureOf } from "../../../test/exposure-of.ts";

const array = (element_type: object, more: object = {}): object => ({
  type: "array",
  element_type,
  ...more,
});

/** A kiln whose methods take arguments of every shape (catalog format, section 8). */
const kiln = exposureOf([
  buildCatalog("kiln", {
    entities: {
      Pot: { fields: { id: "str", name: "str", size: "num", free: "json", labels: "[str]" } },
    },
    capabilities: {
      pot_query: { kind: "query", entity: "Pot" },
      pot_get: { kind: "get", entity: "Pot" },
      pot_fire: {
        kind: "action",
        entity: "Pot",
        more: (ref) => {
          const size = { name: "size", value_ref: ref("num") };
          const spot = { name: "spot", value_ref: ref("str"), required: true };
          const glaze = { type: "object", fields: [spot, size] };
          const heat = (value: unknown, fields: readonly object[]): object => ({
            name: `heat_${String(value)}`,
            wire: { field: "level", value },
            fields,
          });
          return {
            output: { type: "side_effect", description: "it is fired" },
            input_schema: {
              input_type: {
                type: "object",
                fields: [
                  { name: "gap", input_type: { type: "none" } },
                  { name: "notes", input_type: { type: "object", fields: [] } },
                  { name: "glaze", input_type: glaze },
                  { name: "wide", input_type: { ...glaze, additional_fields: true } },
                  { name: "loose", input_type: { type: "object", fields: [size] } },
                  { name: "coats", input_type: array(glaze, { min_length: 2 }) },
                  { name: "marks", input_type: array({ type: "value", field_type: "string" }) },
                  { name: "grid", input_type: array(array(glaze)) },
                  {
                    name: "heat",
                    input_type: {
                      type: "union",
                      variants: [heat(1, [size]), heat(2, [spot]), heat(true, [size, spot])],
                    },
                  },
                ],
              },
              validation: { allow_null: true },
            },
          };
        },
        mapping: {
          method: "POST",
          path: [
            { type: "literal", value: "pots" },
            { type: "var", name: "id" },
          ],
          body: { type: "var", name: "input" },
        },
      },
    },
  }),
]);

const program = (args: string): string => `Pot(p).fire(${args})`;

test.each<readonly [args: string, value: unknown]>([
  ["gap=null", { lit: null }],
  ["notes={a: 1, b: [x]}", { lit: { a: 1, b: ["x"] } }],
  ["notes=null", { lit: null }],
  ["glaze={spot: a}", { lit: { spot: "a" } }],
  ["glaze={spot: a, size: null}", { lit: { spot: "a", size: null } }],
  ["wide={spot: a, more: [1, {b: null}]}", { lit: { spot: "a", more: [1, { b: null }] } }],
  ["wide={spot: a, more: null}", { lit: { spot: "a", more: null } }],
  ["loose={}", { lit: {} }],
  ["coats=[{spot: a}, {spot: b}]", { lit: [{ spot: "a" }, { spot: "b" }] }],
  ["marks=7", { lit: ["7"] }],
  ['marks=["a", 7]', { lit: ["a", "7"] }],
  ["marks=[]", { lit: [] }],
  ["grid=[[{spot: a}], []]", { lit: [[{ spot: "a" }], []] }],
  ["heat={level: 1, size: 3}", { lit: { level: 1, size: 3 } }],
  ['heat={level: "2", spot: a}', { lit: { level: 2, spot: "a" } }],
  ["heat={level: true, spot: a}", { lit: { level: true, spot: "a" } }],
  ['heat={"level": 1, "size": 3}', { lit: { level: 1, size: 3 } }],
])("RUN-016: %s", (args, value) => {
  expect(effectArgs(program(args), kiln)).toEqual({ [args.split("=")[0] ?? ""]: value });
});

const hole = (path: readonly string[], type: string, many = false): object => ({
  from: "n1",
  path,
  type,
  many,
});

test.each<readonly [pots: string, args: string, value: unknown]>([
  ["Pot(a)", "notes=x", hole([], "json")],
  ["Pot(a)", "glaze=x.free", hole(["free"], "json")],
  ["Pot(a)", "glaze=x.name", hole(["name"], "str")],
  ["Pot(a)", "glaze={spot: x.name}", { obj: { spot: hole(["name"], "str") } }],
  [
    "Pot(a)",
    "wide={spot: a, more: x.name}",
    { obj: { spot: { lit: "a" }, more: hole(["name"], "str") } },
  ],
  ["Pot(a)", "heat=x.free", hole(["free"], "json")],
  [
    "Pot(a)",
    "heat={level: 1, size: x.size}",
    { obj: { level: { lit: 1 }, size: hole(["size"], "num") } },
  ],
  ["Pot(a)", "coats=x.free", hole(["free"], "json")],
  ["Pot(a)", "marks=x.name", { list: [hole(["name"], "str")] }],
  ["Pot", "coats=x.name", hole(["name"], "str", true)],
])("LANG-045: of x = %s: %s", (pots, args, value) => {
  const text = `x = ${pots}\n${program(args)}`;
  expect(effectArgs(text, kiln)).toEqual({ [args.split("=")[0] ?? ""]: value });
});

test("LANG-040: a list among the elements of a declared list is told the sum", () => {
  const [error, ...others] = toldErrors('x = Pot(a)\nPot(p).fire(marks=[x.labels, "b"])', kiln);
  expect(others).toEqual([]);
  expect(error?.says).toBe(
    'marks takes a list whose elements are no lists, and x.labels is one. write x.labels + ["b"]',
  );
});

const GLAZE = 'a value like {spot: "text"}';
const HEAT = "write level with one of its variants: 1, 2, true";

type Refusal = readonly [
  args: string,
  code: string,
  marks: string,
  says: string,
  suggests?: string,
];

test.each<Refusal>([
  ["gap=x", "argument_invalid", "x", "gap takes null alone, not x. write a value like null"],
  ["gap={}", "argument_invalid", "{}", "gap takes null alone, not an object."],
  ["gap=$", "placeholder", "$", "gap takes null, like null"],
  ["notes=x", "argument_invalid", "x", "notes takes an object, not x. write a value like {}"],
  ["notes=[1]", "argument_invalid", "[1]", "notes takes an object, not a list."],
  ["notes=$", "placeholder", "$", "notes takes object, like {}"],
  ["notes={a: $}", "placeholder", "$", "notes takes json"],
  ["glaze=x", "argument_invalid", "x", `glaze takes an object, not x. write ${GLAZE}`],
  ["glaze=<<T\nx\nT\n", "argument_invalid", "<<T\nx\nT", "glaze takes an object, not a text."],
  [
    "glaze=123e4567-e89b-12d3-a456-426614174000",
    "argument_invalid",
    "123e4567-e89b-12d3-a456-426614174000",
    GLAZE,
  ],
  ["glaze=true", "argument_invalid", "true", "glaze takes an object, not true."],
  ["glaze=Pot(a)", "argument_invalid", "Pot(a)", "glaze takes an object, not Pot(a)."],
  ["glaze=[{spot: a}]", "argument_invalid", "[{spot: a}]", "glaze takes an object, not a list."],
  ["glaze={}", "argument_missing", "", 'glaze lacks spot str. add spot: "text"'],
  ["glaze={spot: null}", "argument_invalid", "null", "spot cannot be null here. give spot text"],
  [
    "glaze={spt: a}",
    "argument_unknown",
    "spt",
    "glaze has no member spt. use spot. Members: spot, size",
    "glaze={spot: a}",
  ],
  ["glaze={spot: a, zzzzzz: 1}", "argument_unknown", "zzzzzz", "zzzzzz. Members: spot, size"],
  ["glaze={spot: a, spot: b}", "argument_invalid", "spot: b", "spot is given twice in glaze."],
  ["glaze=$", "placeholder", "$", 'glaze takes object, like {spot: "text"}'],
  ["glaze={spot: $}", "placeholder", "$", 'spot takes str, like "text"'],
  ["wide={more: 1}", "argument_missing", "", "wide lacks spot str."],
  [
    "wide={spot: a, more: 1, more: 2}",
    "argument_invalid",
    "more: 2",
    "more is given twice in wide.",
  ],
  ["loose=x", "argument_invalid", "x", "a value like {size: 12.5}"],
  ["coats={spot: a}", "argument_invalid", "{spot: a}", "coats has 1 elements. give at least 2"],
  ["coats=$", "placeholder", "$", 'coats takes [object], like [{spot: "text"}]'],
  [
    "coats=[{spot: a}, null]",
    "argument_invalid",
    "null",
    "coats cannot be null here. give coats an object",
  ],
  ["coats=[{spot: a}, x]", "argument_invalid", "x", "coats takes an object, not x."],
  [
    "coats=x",
    "argument_invalid",
    "x",
    'coats takes a list, not x. write a value like [{spot: "text"}]',
  ],
  ["grid=$", "placeholder", "$", 'grid takes [[object]], like [[{spot: "text"}]]'],
  ["grid=[x]", "argument_invalid", "x", "grid takes a list, not x."],
  [
    "grid=[[{spot: a}], null]",
    "argument_invalid",
    "null",
    "grid cannot be null here. give grid a list",
  ],
  ["heat=x", "argument_invalid", "x", "heat takes an object, not x. write a value like {level: 1}"],
  ["heat=[{level: 1}]", "argument_invalid", "[{level: 1}]", "heat takes an object, not a list."],
  ["heat=$", "placeholder", "$", "heat takes object, like {level: 1}"],
  [
    "heat={level: 3}",
    "argument_invalid",
    "3",
    "3 is no variant of heat. Variants by level: 1, 2, true",
  ],
  [
    "heat={level: tru, spot: a}",
    "argument_invalid",
    "tru",
    "use true. Variants by level: ",
    "heat={level: true, spot: a}",
  ],
  [
    "heat={level: false}",
    "argument_invalid",
    "false",
    `heat is told apart by level, which must be written out. ${HEAT}`,
  ],
  ["heat={level: [1]}", "argument_invalid", "[1]", HEAT],
  ["heat={level: $}", "placeholder", "$", "level takes 1|2|true, like "],
  [
    "heat={level: 1, spot: a}",
    "argument_unknown",
    "spot",
    "heat has no member spot. Members: level, size",
  ],
  ["heat={level: 1, level: 1}", "argument_invalid", "level: 1", "level is given twice in heat."],
  [
    "heat={form: a}",
    "argument_invalid",
    "",
    "heat lacks level, which tells its variants apart. add level with one of its variants: 1, 2, true",
  ],
  ["glaze={p99: a}", "unknown_symbol", "p99", "p99 is not in the table."],
  [
    "glaze={m1: a}",
    "unknown_symbol",
    "m1",
    "m1 is a method, a field, relation or argument stands here.",
  ],
])("RUN-016, RUN-017: %s is %s", (args, code, marks, says, suggests) => {
  const [error, ...others] = toldErrors(`Pot(p).fire(${args})`, kiln);
  expect(others).toEqual([]);
  expect([error?.code, error?.marks]).toEqual([code, marks]);
  expect(error?.says).toContain(says);
  expect(error?.suggests).toBe(suggests === undefined ? null : program(suggests));
});

test("ERR-002: what is wrong with each member is told, in order", () => {
  const told = (args: string): readonly string[] =>
    toldErrors(program(args), kiln).map(({ code, marks }) => `${code} ${marks}`);
  expect(told("coats=[{spot: [a]}, {spot: b, size: x}]")).toEqual([
    "argument_invalid [a]",
    "argument_invalid x",
  ]);
  expect(told("glaze={spt: a, size: x}")).toEqual(["argument_unknown spt", "argument_invalid x"]);
  expect(told("coats=[x, {}]")).toEqual(["argument_invalid x", "argument_missing "]);
});
