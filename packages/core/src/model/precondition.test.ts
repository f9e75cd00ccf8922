import { expect, test } from "vitest";
import type { Json, ValueType } from "../values/value-type.ts";
import { meetsPrecondition, type PreconditionTest } from "./precondition.ts";

const text: ValueType = { kind: "string", semantics: "short" };
const integer: ValueType = { kind: "integer" };
const flag: ValueType = { kind: "boolean" };
const select: ValueType = { kind: "select", options: ["first", "2"] };

test.each<[PreconditionTest, Json, ValueType, boolean]>([
  [{ op: "eq", value: "a" }, "a", text, true],
  [{ op: "eq", value: "a" }, "A", text, false],
  [{ op: "eq", value: "a" }, null, text, false],
  [{ op: "eq", value: 3 }, "3", integer, true],
  [{ op: "eq", value: true }, true, flag, true],
  [{ op: "eq", value: 2 }, "2", select, true],
  [{ op: "in", values: ["first", 2] }, "2", select, true],
  [{ op: "in", values: ["a", "b"] }, "c", text, false],
  [{ op: "in", values: ["a", "b"] }, null, text, false],
  [{ op: "not_in", values: ["a", "b"] }, "c", text, true],
  [{ op: "not_in", values: ["a", "b"] }, "b", text, false],
  [{ op: "not_in", values: ["a", "b"] }, null, text, true],
  [{ op: "exists", exists: true }, "", text, true],
  [{ op: "exists", exists: true }, null, text, false],
  [{ op: "exists", exists: false }, null, text, true],
  [{ op: "exists", exists: false }, 0, integer, false],
])("17.17 %j of %j", (test, value, type, holds) => {
  expect(meetsPrecondition(test, value, type)).toBe(holds);
});
