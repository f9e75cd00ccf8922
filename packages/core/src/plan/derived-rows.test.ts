import { expect, test } from "vitest";
import { quayExposure } from "../../test/fixture-exposure.ts";
import { errorsOf, planOf } from "../../test/plan-of.ts";
import { CURRENT_FEATURES } from "../policy/policy.ts";
import type { Plan } from "./ir.ts";
import { renderPlan } from "./render/render-plan.ts";

const settings = { features: { ...CURRENT_FEATURES, derive: true } };
const plan = (text: string): Plan => planOf(text, quayExposure, settings);

test("C-021 derive: one read, a new row per row", () => {
  const { nodes, returns } = plan("s = Boat.limit(3)\nc = s => {t: _.name}\ns, c");
  expect(nodes).toMatchObject([
    { kind: "query", limit: 3, wanted: ["name"] },
    {
      kind: "derive",
      source: "n1",
      columns: [["t", { row: ["name"], type: "str" }]],
      result: { card: "many", entity: null, columns: [["t", "str"]] },
    },
  ]);
  expect(returns.map(({ label, node }) => [label, node])).toEqual([
    ["s", "n1"],
    ["c", "n2"],
  ]);
});

test("C-065: a derived row reads the field, not the relation", () => {
  expect(plan('p = Person("ann")\np => {n: _.boats}').nodes).toMatchObject([
    { kind: "get", wanted: ["boats"] },
    { columns: [["n", { row: ["boats"], type: "int" }]], result: { card: "one" } },
  ]);
});

test("C-097: a path into json is no effect, whatever it is called", () => {
  expect(plan("a = Boat.limit(2)\na => {m: _.meta.m1}").nodes[1]).toMatchObject({
    kind: "derive",
    columns: [["m", { row: ["meta", "m1"], type: "json" }]],
  });
});

test("values of a body: cells, labels of one row, constructors, nested (LANG-071)", () => {
  const text =
    'p = Person("ann")\na = Boat.limit(2)\na => {w: p.name, o: Person(_.owner), k: {i: [_.id, 1]}}';
  expect(plan(text).nodes.at(-1)).toMatchObject({
    columns: [
      ["w", { from: "n2", path: ["name"], many: false }],
      ["o", { row: ["owner"], type: "Person(str)" }],
      ["k", { obj: { i: { list: [{ row: ["id"] }, { lit: 1 }] } } }],
    ],
  });
});

test.each([
  ["C-020 text", "n = <<X\nhi\nX\nn", { lit: "hi" }, "one", [["content", "str"]]],
  ["text that looks like json", 'n = "[1, 2]"\nn', { lit: "[1, 2]" }, "one", [["content", "str"]]],
  [
    "constructors inside",
    'n = [{p: Person("ann"), v: [Visit(boat=b1, day=2026-01-05)]}]\nn',
    { lit: [{ p: "ann", v: [{ boat: "b1", day: "2026-01-05" }] }] },
    "many",
    [
      ["p", "Person(str)"],
      ["v", "json"],
    ],
  ],
  [
    "null fits every type",
    "x = [{a: null},{a: 1}]\nx",
    { lit: [{ a: null }, { a: 1 }] },
    "many",
    [["a", "num"]],
  ],
  ["a number", "n = 12\nn", { lit: 12 }, "one", [["value", "num"]]],
  [
    "an object",
    "n = {a: 1, b: x}\nn",
    { lit: { a: 1, b: "x" } },
    "one",
    [
      ["a", "num"],
      ["b", "str"],
    ],
  ],
  [
    "C-095 nested lists",
    "x = [[1,2],{a: 1}]\nx",
    { lit: [[1, 2], { a: 1 }] },
    "many",
    [
      ["value", "json"],
      ["a", "num"],
    ],
  ],
  [
    "types that differ",
    "x = [{a: 1},{a: t}]\nx",
    { lit: [{ a: 1 }, { a: "t" }] },
    "many",
    [["a", "json"]],
  ],
])("LANG-046, %s: %s", (_, text, value, card, columns) => {
  expect(plan(text).nodes).toMatchObject([
    { kind: "data", effect_class: "local", value, result: { card, entity: null, columns } },
  ]);
});

test("C-116: a list of literals drives a read per item", () => {
  const { nodes, summary } = plan('ids = ["b1", "b9"]\nids => Boat(_.value)');
  expect(nodes).toMatchObject([
    { kind: "data" },
    {
      kind: "for_each",
      effect_class: "read",
      source: "n1",
      body: { kind: "get", capability: "boat_get", key: { id: { row: ["value"], type: "str" } } },
      result: { card: "many", entity: "Boat" },
    },
  ]);
  expect(summary.bill.requests).toEqual({ max: 2 });
  expect(summary.verdict).toBe("ok");
});

test("a body chooses its list by its conditions, the rest is tested (RUN-110)", () => {
  const { nodes } = plan("a = Boat.limit(2)\na => Boat{owner=_.owner, length>10}");
  expect(nodes[1]).toMatchObject({
    body: {
      kind: "query",
      capability: "boat_query_owner",
      args: { owner: { row: ["owner"], type: "Person(str)" } },
      filter: { op: ">", path: ["length"], value: { lit: 10 } },
      wanted: ["length"],
    },
  });
  expect(nodes[1]).not.toHaveProperty("body.id");
});

test("conditions that no read per row takes are tested behind all its rows (LANG-071)", () => {
  const get = { kind: "get", key: { id: { row: ["id"] } } };
  expect(plan("a = Boat.limit(2)\na => Boat{id=_.id, length>10}").nodes).toMatchObject([
    { kind: "query" },
    { kind: "for_each", body: get },
    { op: { filter: { op: ">", path: ["length"] } }, source: "n2" },
  ]);
  const foreign = 'a = Boat.limit(2)\na => Boat{owner=_.owner, owner.name="Ann", length>10}';
  expect(plan(foreign).nodes).toMatchObject([
    { kind: "query" },
    { kind: "for_each", body: { capability: "boat_query_owner", filter: { path: ["length"] } } },
    { kind: "join", path: ["owner"], source: "n2" },
    { op: { filter: { path: ["owner", "name"] } }, source: "n3" },
  ]);
});

test("a method of _ is called on each row, without fetching it (LANG-025)", () => {
  expect(plan("a = Boat.limit(2)\na => _.get()").nodes[1]).toMatchObject({
    body: { kind: "get", key: { id: { row: [], type: "Boat(str)" } } },
  });
});

test("a row stands for its key, part by part where there are several (LANG-028)", () => {
  expect(plan('a = Boat("b1").visits\na => Visit(_)').nodes).toMatchObject([
    { kind: "relation", wanted: ["boat", "day"] },
    { body: { kind: "get", key: { boat: { row: ["boat"] }, day: { row: ["day"] } } } },
  ]);
});

test("a read per row of many is for review (PLAN-021)", () => {
  const { summary } = plan("a = Boat\na => _.get()");
  expect(summary.reasons.map(({ code, node }) => `${code} ${node}`)).toEqual(
    expect.arrayContaining(["unbounded_read n1", "unbounded_for_each n2"]),
  );
});

test("the dry run shows columns and the read per row", () => {
  const text = "a = Boat.limit(2)\na => {n: _.name, t: 1}\na => Boat{owner=_.owner, length>10}";
  expect(renderPlan(plan(text), "pc0").split("\n\n")[1]).toBe(
    [
      "n1 query quay.Boat query() · ≤2 rows",
      "n2 derive n=_.name, t=1 ← n1",
      "n3 for_each ← n1 · quay.Boat.query-owner(owner=_.owner) · length > 10 local · requests unknown, pages, at most 100",
    ].join("\n"),
  );
});

test.each([
  ["an unknown cell", "a = Boat\na => {n: _.nme}", "unknown_column", "nme"],
  ["C-063 duplicate keys", "a = Boat\na => {x: 1, x: 2}", "duplicate_column", "x"],
  ["LANG-063 duplicate keys of data", "a = {x: 1, x: 2}\na", "duplicate_column", "x"],
  [
    "of a row of data",
    "a = [{x: 1}, {x: 1, __proto__: 2, __proto__: 3}]\na",
    "duplicate_column",
    "__proto__",
  ],
  ["inside data", "a = {k: {x: 1, x: 2}}\na", "argument_invalid", "x: 2"],
  ["inside a cell", "a = Boat\na => {k: [{x: 1, x: 2}]}", "argument_invalid", "x: 2"],
  ["many rows as one value", "a = Boat\nb = Boat\na => {x: b.id}", "not_singleton", "b.id"],
  ["relation lost", "a = Boat\nb = a => {x: _.id}\nb.visits", "relation_lost", "visits"],
  [
    "_ beside a key",
    "a = Boat\na => Boat{id=_.id, length>_.length}",
    "unknown_method",
    "Boat{id=_.id, length>_.length}",
  ],
  ["a bare cursor", "a = Boat\na => _", "no_cursor", "_"],
])("%s: %s is %s", (_, text, code, at) => {
  const [error, ...more] = errorsOf(text, quayExposure, settings);
  expect(more).toEqual([]);
  expect(error).toMatchObject({ code });
  expect(text.slice(error?.span.start, error?.span.end)).toBe(at);
});
