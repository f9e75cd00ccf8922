import { expect, test } from "vitest";
import { quayExposure } from "../../test/fixture-exposure.ts";
import { errorsOf, planOf } from "../../test/plan-of.ts";
import { CURRENT_FEATURES } from "../policy/policy.ts";
import type { Plan } from "./ir.ts";

const settings = { features: CURRENT_FEATURES };
const plan = (text: string): Plan => planOf(text, quayExposure, settings);

test.each([
  ["C-011 count", "Boat.aggregate(n=count)", [{ as: "n", fn: "count", path: null }]],
  ["C-012 unnamed", "Boat.aggregate(count)", [{ as: "count", fn: "count", path: null }]],
  ["C-013 sum", "Boat.aggregate(t=sum(length))", [{ as: "t", fn: "sum", path: ["length"] }]],
  ["unnamed", "Boat.aggregate(sum(length))", [{ as: "sum_length", fn: "sum", path: ["length"] }]],
])("%s: %s is one row of no entity", (_, text, aggregate) => {
  const { nodes, returns } = plan(text);
  expect(nodes).toMatchObject([
    { kind: "query", limit: null },
    { op: { aggregate }, result: { card: "one", entity: null } },
  ]);
  expect(returns).toMatchObject([{ label: "Boat" }]);
});

test("C-118: count() and count are one plan", () => {
  expect(plan("Boat.aggregate(n=count())").commit).toBe(plan("Boat.aggregate(n=count)").commit);
});

test("C-014 and C-088: keys under their names, then aggregates", () => {
  expect(plan("Boat.group_by(owner, n=count)").nodes[1]).toMatchObject({
    op: { group_by: { keys: [["owner"]], aggs: [{ as: "n", fn: "count", path: null }] } },
    result: {
      card: "many",
      entity: null,
      columns: [
        ["owner", "Person(str)"],
        ["n", "int"],
      ],
    },
  });
});

test("C-016: the limit reaches the read, singleton judges what is left", () => {
  expect(plan("Boat.limit(5).singleton()").nodes).toMatchObject([
    { limit: 5 },
    { op: { singleton: true }, result: { card: "one", entity: "Boat" } },
  ]);
});

test("C-089: wanted are the columns the aggregates read", () => {
  const text = "Boat{id=none}.aggregate(n=count, m=count(built), s=sum(length), a=avg(length))";
  expect(plan(text).nodes[0]).toMatchObject({ kind: "get", wanted: ["built", "length"] });
});

test("C-091: distinct keeps the identity", () => {
  expect(plan("Boat.distinct(owner).visits").nodes).toMatchObject([
    { kind: "query", wanted: ["owner"] },
    { op: { distinct: [["owner"]] } },
    { kind: "relation", source: "n2" },
  ]);
});

test("what follows an aggregate names its columns (LANG-063)", () => {
  expect(plan("Boat.group_by(state, n=count).sort(n, desc).limit(1)[state]").nodes).toHaveLength(5);
});

test.each([
  ["C-088", "Boat.group_by(state, state=count)", "duplicate_column", "state"],
  ["C-090", "Boat.aggregate(s=sum(name))", "bad_column_type", "name"],
  ["arrays have no order", "Boat.group_by(flags)", "bad_column_type", "flags"],
  ["arrays have no order", "Boat.distinct(flags)", "bad_column_type", "flags"],
  ["C-092", "Boat.group_by(owner).visits", "relation_lost", "visits"],
  ["a lost column", "Boat.group_by(owner).sort(length)", "unknown_column", "length"],
  [
    "groups that are counted",
    "Boat.group_by(owner).aggregate(n=count)",
    "unknown_method",
    ".aggregate(n=count)",
  ],
  [
    "groups by a label",
    "g = Boat.group_by(owner)\ng.aggregate(n=count)",
    "unknown_method",
    ".aggregate(n=count)",
  ],
  [
    "a column of no group",
    "Boat.group_by(owner).aggregate(t=sum(length))",
    "unknown_method",
    ".aggregate(t=sum(length))",
  ],
  ["a call behind it", "Boat.aggregate(n=count).get()", "relation_lost", "get"],
])("%s: %s is %s", (_, text, code, at) => {
  const [error, ...more] = errorsOf(text, quayExposure, settings);
  expect(more).toEqual([]);
  expect(error).toMatchObject({ code });
  expect(text.slice(error?.span.start, error?.span.end)).toBe(at);
});

test("C-092: the correction names the step to go before", () => {
  expect(errorsOf("Boat.group_by(owner).visits", quayExposure, settings)).toMatchObject([
    { correction: expect.stringContaining(".group_by(owner)") },
  ]);
});

test.each([
  ["Boat.aggregate(n=count)", ".aggregate(n=count)"],
  ["Boat.group_by(state)", ".group_by(state)"],
  ["Boat.distinct(owner)", ".distinct(owner)"],
  ["Boat.singleton()", ".singleton()"],
])("an engine that cannot run a step says what serves instead: %s", (text, at) => {
  const [error, ...more] = errorsOf(text, quayExposure, {
    features: {
      ...CURRENT_FEATURES,
      aggregate: false,
      distinct: false,
      singleton: false,
    },
  });
  expect(more).toEqual([]);
  expect(text.slice(error?.span.start, error?.span.end)).toBe(at);
  expect(error).toMatchObject({ code: "unknown_method" });
});
