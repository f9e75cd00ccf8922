import { expect, test } from "vitest";
import type { CrossFieldRule, InputSchema, ValidationPredicate } from "./input.ts";
import { type Known, LATER, ruleFaults } from "./rule-faults.ts";

const schema = (
  predicates: readonly ValidationPredicate[],
  crossFieldRules: readonly CrossFieldRule[] = [],
): InputSchema => ({
  input: { kind: "object", fields: [], additionalFields: false },
  description: "",
  examples: [],
  allowNull: false,
  validated: true,
  predicates,
  crossFieldRules,
});

const faultsOf = (found: InputSchema, args: Readonly<Record<string, Known>>) =>
  ruleFaults(found, new Map(Object.entries(args)));

test("RUN-105 a rule by a function is judged by who has functions, on what is known", () => {
  const rule = { fieldPath: "a.b", operator: "custom_function", value: "even" } as const;
  const judged = (a: Known, own?: string) =>
    ruleFaults(
      schema([own === undefined ? rule : { ...rule, errorMessage: own }]),
      new Map([["a", a]]),
      (name, value) => (Number(value) % 2 === 0 ? null : `${JSON.stringify(value)} is not ${name}`),
    ).map(({ text }) => text);
  expect(judged({ b: 2 })).toEqual([]);
  expect(judged([{ b: 2 }, { b: 3 }, { b: 5 }])).toEqual(["3 is not even"]);
  expect(judged({ b: 3 }, "pairs only")).toEqual(["pairs only"]);
  expect([judged({ b: null }), judged({ b: LATER }), judged({ b: [LATER] }), judged({})]).toEqual([
    [],
    [],
    [],
    [],
  ]);
});

type Operator = ValidationPredicate["operator"];

test.each<[Operator, ValidationPredicate["value"], Known, boolean]>([
  ["min_length", 3, "abc", true],
  ["min_length", 3, "a😀", false],
  ["min_length", 1, [], false],
  ["min_length", 2, 5, true],
  ["max_length", 2, "a😀", true],
  ["max_length", 2, ["a", "b", "c"], false],
  ["min_value", 0, 0, true],
  ["min_value", 0, -0.1, false],
  ["max_value", 10, "12345678901234567890", false],
  ["max_value", "12345678901234567891", "12345678901234567890", true],
  ["min_value", "2026-01-05", "2026-01-04", false],
  ["max_value", 3, [1, 2, 4], false],
  ["pattern", "^[a-z]+$", "abc", true],
  ["pattern", "^[a-z]+$", "aBc", false],
  ["pattern", "b", "abc", true],
  ["pattern", "^\\p{L}+$", "Jørn", true],
  ["pattern", "x", "x".repeat(4096), true],
  ["pattern", "x", "x".repeat(4097), false],
  ["pattern", "^a$", ["a", "b"], false],
  ["custom_function", "anything", "x", true],
  ["min_length", 3, null, true],
  ["min_length", 3, LATER, true],
  ["pattern", "^a$", ["a", LATER], true],
])("%s %j of %j holds: %s (RUN-016, CAT-093)", (operator, value, given, holds) => {
  const faults = faultsOf(schema([{ fieldPath: "a", operator, value }]), { a: given });
  expect(faults.map(({ kind }) => kind)).toEqual(holds ? [] : ["value"]);
});

test("a value that is not given breaks no rule about it", () => {
  expect(faultsOf(schema([{ fieldPath: "a", operator: "min_length", value: 1 }]), {})).toEqual([]);
});

test.each<[CrossFieldRule["ruleType"], readonly string[], readonly string[], boolean]>([
  ["at_least_one", [], ["a", "b"], false],
  ["at_least_one", ["b"], [], false],
  ["exactly_one", [], ["a", "b"], false],
  ["exactly_one", ["a"], [], false],
  ["exactly_one", ["a", "b"], ["a", "b"], true],
  ["mutually_exclusive", [], [], false],
  ["mutually_exclusive", ["a", "b"], ["a", "b"], true],
  ["all_or_none", [], [], false],
  ["all_or_none", ["b"], ["a"], false],
  ["all_or_none", ["a", "b"], [], false],
  ["implies", ["a"], ["b"], false],
  ["implies", ["b"], [], false],
  ["implies", ["a", "b"], [], false],
])("%s of a, b with %j given is about %j", (ruleType, given, about, surplus) => {
  const args = Object.fromEntries(given.map((name) => [name, 1]));
  const faults = faultsOf(schema([], [{ ruleType, fields: ["a", "b"] }]), args);
  const expected = about.length === 0 ? [] : [{ kind: "fields", fields: about, surplus }];
  expect(faults).toMatchObject(expected);
});

test("depends_on asks for the other if the first is given", () => {
  const rules = schema([{ fieldPath: "a", operator: "depends_on", value: ["b", "c"] }]);
  expect(faultsOf(rules, {})).toEqual([]);
  expect(faultsOf(rules, { a: 1, b: LATER })).toMatchObject([{ kind: "fields", fields: ["c"] }]);
  expect(faultsOf(rules, { a: 1, b: 1, c: null })).toEqual([]);
});

test("a path leads into objects and every element of lists", () => {
  const rules = schema([{ fieldPath: "ops.at", operator: "min_value", value: 1 }]);
  expect(faultsOf(rules, { ops: [{ at: 1 }, { at: 0 }] })).toHaveLength(1);
  expect(faultsOf(rules, { ops: [{ at: 1 }, {}, { at: LATER }] })).toEqual([]);
  expect(faultsOf(rules, { ops: LATER })).toEqual([]);
});

test("a rule's own text is the fault's", () => {
  const predicate = { fieldPath: "a", operator: "min_length", value: 1 } as const;
  const own = faultsOf(schema([{ ...predicate, errorMessage: "say something" }]), { a: "" });
  expect(own).toEqual([{ kind: "value", path: "a", text: "say something" }]);
  const made = faultsOf(schema([predicate]), { a: "" });
  expect(made[0]?.text).toContain("at least 1");
});
