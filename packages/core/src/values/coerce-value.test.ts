import { expect, test } from "vitest";
import { coerceValue } from "./coerce-value.ts";
import type { Json, ValueType } from "./value-type.ts";

const string: ValueType = { kind: "string", semantics: "markdown" };
const stage: ValueType = { kind: "select", options: ["packed", "2"] };

test.each<[Json, ValueType, Json]>([
  ["a", string, "a"],
  [12, string, "12"],
  [{ id: "b1" }, string, "b1"],
  ["12", { kind: "number" }, 12],
  ["12345678901234567890", { kind: "number" }, "12345678901234567890"],
  [3, { kind: "integer" }, 3],
  ["3.0", { kind: "integer" }, 3],
  ["true", { kind: "boolean" }, true],
  ["packed", stage, "packed"],
  [2, stage, "2"],
  ["any", { kind: "select", options: [] }, "any"],
  ["2026-01-05", { kind: "date", format: "unix_sec" }, 1767571200],
  ["2026-01-05T01:00:00+02:00", { kind: "date", format: "rfc3339" }, "2026-01-04T23:00:00Z"],
  ["a", { kind: "array", items: string }, ["a"]],
  [[1, "b"], { kind: "array", items: string }, ["1", "b"]],
  [["packed"], { kind: "multi_select", options: ["packed"] }, ["packed"]],
  [{ a: [1] }, { kind: "json" }, { a: [1] }],
  ["b1", { kind: "entity_ref", target: "Boat" }, "b1"],
  [null, { kind: "integer" }, null],
])("LANG-040: %j into %j is %j", (value, type, expected) => {
  expect(coerceValue(value, type)).toEqual({ value: expected });
});

test.each<[Json, ValueType, string]>([
  [true, string, "text"],
  [{ a: 1, b: 2 }, string, "text"],
  ["x", { kind: "number" }, "a number"],
  ["3.5", { kind: "integer" }, "a whole number"],
  [1, { kind: "boolean" }, "true or false"],
  ["Packed", stage, "one of packed, 2"],
  ["b1", { kind: "uuid" }, "a uuid"],
  ["soon", { kind: "date", format: "rfc3339" }, "a date"],
  [1, { kind: "date", format: "rfc3339" }, "a date"],
  [[["a"]], { kind: "array", items: string }, "a list, each a single value"],
  [["x"], { kind: "array", items: { kind: "integer" } }, "a list, each a whole number"],
  [["b1"], { kind: "entity_ref", target: "Boat" }, "a key of Boat"],
])("LANG-045: %j does not fit %j", (value, type, takes) => {
  expect(coerceValue(value, type)).toEqual({ takes });
});
