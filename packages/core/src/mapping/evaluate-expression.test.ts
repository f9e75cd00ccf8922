import { expect, test } from "vitest";
import type { Json } from "../values/value-type.ts";
import type { Evaluation, ExpressionFunction } from "./evaluation.ts";
import { evaluate } from "./evaluate-expression.ts";
import type { Expression } from "./template.ts";

const functions = new Map<string, ExpressionFunction>([
  [
    "shout",
    ([text]) => (typeof text === "string" ? { value: text.toUpperCase() } : { error: "text only" }),
  ],
  ["who", (_args, bindings) => ({ value: bindings.get("name") })],
]);

function run(
  expression: Expression,
  bindings: Readonly<Record<string, Json>> = {},
  optional: readonly string[] = [],
) {
  const environment = {
    bindings: new Map(Object.entries(bindings)),
    optional: new Set(optional),
    functions,
  };
  const evaluation: Evaluation = { environment, errors: [] };
  const value = evaluate(expression, "body", evaluation);
  return { value, rules: evaluation.errors.map((error) => error.rule), errors: evaluation.errors };
}

const v = (name: string): Expression => ({ type: "var", name });
const c = (value: Json): Expression => ({ type: "const", value });

test("var: bound value, explicit null, nothing for an optional, an error for any other name", () => {
  expect(run(v("a"), { a: 1 }).value).toBe(1);
  expect(run(v("a"), { a: null }).value).toBeNull();
  expect(run(v("a"), {}, ["a"])).toEqual({ value: undefined, rules: [], errors: [] });
  const missing = run(v("a"));
  expect(missing.value).toBeUndefined();
  expect(missing.errors).toMatchObject([
    { code: "argument_missing", variable: "a", place: "body" },
  ]);
  expect(missing.errors[0]?.message).toContain("a is not bound");
});

test.each<[string, Expression, Json | undefined]>([
  ["const null is nothing", c(null), undefined],
  ["const keeps nulls inside", c({ a: null }), { a: null }],
  [
    "object leaves out nothing",
    {
      type: "object",
      fields: [
        ["a", v("no")],
        ["b", c(1)],
      ],
    },
    { b: 1 },
  ],
  ["object keeps explicit null", { type: "object", fields: [["a", v("nil")]] }, { a: null }],
  [
    "array: a const null stays, other nothing is left out",
    { type: "array", elements: [c(null), v("no"), c(2)] },
    [null, 2],
  ],
  ["join of a list", { type: "join", sep: ",", expr: v("list") }, "1,b,true"],
  ["join passes a scalar", { type: "join", sep: ",", expr: v("text") }, "hi"],
  ["join of nothing", { type: "join", sep: ",", expr: v("no") }, undefined],
  [
    "format",
    {
      type: "format",
      template: "d:{t}/{n}!",
      vars: new Map([
        ["t", v("text")],
        ["n", c(3)],
      ]),
    },
    "d:hi/3!",
  ],
  [
    "format prints explicit null",
    { type: "format", template: "{x}", vars: new Map([["x", v("nil")]]) },
    "null",
  ],
  ["call", { type: "call", function: "shout", args: [v("text")] }, "HI"],
  ["call reads the environment", { type: "call", function: "who", args: [] }, undefined],
])("%s", (_name, expression, value) => {
  const bound = { nil: null, list: [1, "b", true], text: "hi" };
  expect(run(expression, bound, ["no"])).toEqual({ value, rules: [], errors: [] });
});

const when = (condition: Extract<Expression, { type: "if" }>["condition"]): Expression => ({
  type: "if",
  condition,
  thenExpr: c("yes"),
  elseExpr: c("no"),
});

test.each<[string, Extract<Expression, { type: "if" }>["condition"], string]>([
  ["exists of a bound name", { type: "exists", name: "text" }, "yes"],
  ["exists of explicit null", { type: "exists", name: "nil" }, "yes"],
  ["exists of nothing", { type: "exists", name: "no" }, "no"],
  ["equals by type and value", { type: "equals", left: c(1), right: c("1") }, "no"],
  [
    "equals of equal objects",
    { type: "equals", left: c({ a: 1, b: 2 }), right: c({ b: 2, a: 1 }) },
    "yes",
  ],
  [
    "equals: explicit null is not nothing",
    { type: "equals", left: v("nil"), right: c(null) },
    "no",
  ],
  ["bool true", { type: "bool", expr: c(true) }, "yes"],
  ["bool false", { type: "bool", expr: c(false) }, "no"],
  ["bool nothing", { type: "bool", expr: v("no") }, "no"],
])("condition %s", (_name, condition, value) => {
  expect(run(when(condition), { nil: null, text: "x" }, ["no"]).value).toBe(value);
});

test("if is lazy: the branch not taken is not evaluated", () => {
  const lazy: Expression = {
    type: "if",
    condition: { type: "exists", name: "a" },
    thenExpr: v("unbound"),
    elseExpr: c(1),
  };
  expect(run(lazy)).toEqual({ value: 1, rules: [], errors: [] });
});

test.each<[string, Expression, string]>([
  ["bool of text", when({ type: "bool", expr: c("true") }), "MAP-020"],
  ["join of a text with the separator", { type: "join", sep: ",", expr: c(["a,b"]) }, "MAP-020"],
  ["join of objects", { type: "join", sep: ",", expr: c([{ a: 1 }]) }, "MAP-020"],
  [
    "format of nothing (MAP-021)",
    { type: "format", template: "{x}", vars: new Map([["x", v("no")]]) },
    "MAP-021",
  ],
  ["format unclosed", { type: "format", template: "{x", vars: new Map() }, "MAP-021"],
  ["a failing function", { type: "call", function: "shout", args: [c(1)] }, "RUN-105"],
  ["an unregistered function", { type: "call", function: "none", args: [] }, "RUN-105"],
])("%s is an error", (_name, expression, rule) => {
  expect(run(expression, {}, ["no"]).rules).toEqual([rule]);
});
