import { expect, test } from "vitest";
import { toldErrors } from "../../../test/effect-args.ts";
import { planOf } from "../../../test/plan-of.ts";
import { slots } from "../../../test/slots-catalog.ts";

const UUID = "123e4567-e89b-12d3-a456-426614174000";

/** A value no slot says the type of → how it is planned, and its type for later steps. */
const VALUES: readonly (readonly [value: string, planned: unknown, type: string])[] = [
  ["true", { lit: true }, "bool"],
  ["7", { lit: 7 }, "num"],
  ["12345678901234567890", { dec: "12345678901234567890" }, "num"],
  ["2026-01-05", { lit: "2026-01-05" }, "date"],
  ["2026-01-05T09:00:00Z", { lit: "2026-01-05T09:00:00Z" }, "datetime"],
  [UUID, { lit: UUID }, "uuid"],
  ['"q"', { lit: "q" }, "str"],
  ['"[1]"', { lit: "[1]" }, "str"],
  ["<<T\n{}\nT\n", { lit: "{}" }, "str"],
  ["word", { lit: "word" }, "str"],
  ["Peg(7)", { lit: 7 }, "Peg(int)"],
  ["Hook(7)", { lit: 7 }, "Peg(int)"],
  ["Bay(hall=a, row=b)", { lit: { hall: "a", row: "b" } }, "Bay(str, str)"],
  ["null", { lit: null }, "json"],
  ['["[1]", Peg(7), {k: 2026-01-05}]', { lit: ["[1]", 7, { k: "2026-01-05" }] }, "json"],
  ["{k: [true, null]}", { lit: { k: [true, null] } }, "json"],
];

/** Data is as it stands; a row that is made of another has the date. */
const IN_DATA: typeof VALUES = [...VALUES, ["today", { lit: "today" }, "str"]];
const IN_ROWS: typeof VALUES = [
  ...VALUES,
  ["today", { now: "today" }, "date"],
  ["now", { now: "now" }, "datetime"],
  ["[today-7d]", { list: [{ now: "today-7d" }] }, "json"],
  ['"today"', { lit: "today" }, "str"],
];

test.each(IN_DATA)(
  "LANG-046: in data %s keeps its value and has a type",
  (value, planned, type) => {
    const [node] = planOf(`x = {a: ${value}}\nx`, slots).nodes;
    const whole =
      "lit" in Object(planned)
        ? { lit: { a: (planned as { lit: unknown }).lit } }
        : { obj: { a: planned } };
    expect(node).toMatchObject({ kind: "data", value: whole, result: { columns: [["a", type]] } });
  },
);

test.each(IN_ROWS)("LANG-071: in derived rows %s does so, too", (value, planned, type) => {
  const { nodes } = planOf(`boxes = Box\nx = boxes => {a: ${value}}\nx.limit(1)`, slots);
  expect(nodes.find((node) => "columns" in node)).toMatchObject({ columns: [["a", planned]] });
  expect(nodes.at(-1)).toMatchObject({ result: { columns: [["a", type]] } });
});

test("LANG-071: a cell of the row keeps its type, a row is json", () => {
  const { nodes } = planOf("b = Box\nx = b => {a: _.count, b: _.peg, c: _}\nx.limit(1)", slots);
  expect(nodes.at(-1)).toMatchObject({
    result: {
      columns: [
        ["a", "int"],
        ["b", "Peg(int)"],
        ["c", "json"],
      ],
    },
  });
});

test.each<readonly [data: string, code: string, marks: string, says: string]>([
  ["{a: 1e500}", "bad_literal", "1e500", '"1e500"'],
  ["{a: [1e500]}", "bad_literal", "1e500", '"1e500"'],
  ["{a: $}", "placeholder", "$", "$ stands for a value of the value"],
  ["{a: Nail(1)}", "unknown_name", "Nail", "Nail is neither a label nor an entity."],
  ["{a: [Nail(1)]}", "unknown_name", "Nail", "Nail is neither a label nor an entity."],
  ["{a: Bay(hall=b)}", "bad_key", "", "The key of Bay is hall, row."],
  ["{a: Peg(x)}", "argument_invalid", "x", "no takes a whole number, not x."],
  ["{a: {k: 1, k: 2}}", "argument_invalid", "k: 2", "k is given twice in the value."],
  ["{a: _.id}", "no_cursor", "_.id", "=>"],
])("LANG-046: %s is %s", (data, code, marks, says) => {
  const [error, ...others] = toldErrors(`x = ${data}\nx`, slots);
  expect(others).toEqual([]);
  expect([error?.code, error?.marks]).toEqual([code, marks]);
  expect(error?.says).toContain(says);
});

test("ERR-005: a value in error has any type, so that nothing else is reported", () => {
  for (const value of ["Nail(1)", "$", "Bay(hall=b)", "1e500"]) {
    const errors = toldErrors(`x = {a: ${value}}\nBox(y).take(bay=x.a, open=x.a)`, slots);
    expect(errors).toHaveLength(1);
    expect(errors.map(({ marks }) => marks)).not.toContain("x.a");
  }
});
