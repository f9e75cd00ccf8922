import type { Json, ValueType } from "@plasm/core";
import { describe, expect, test } from "vitest";
import { matches, unfitCells } from "./matches.ts";
import type { Row } from "./row.ts";

type TestOp = "=" | "!=" | ">" | ">=" | "<" | "<=" | "~" | "in";

/** Whether a row whose only column has a type and a cell, or no cell, meets a condition on it. */
function meets(cell: Json | undefined, op: TestOp, value: Json, type: ValueType): boolean {
  const cells = new Map<string, Json>(cell === undefined ? [] : [["v", cell]]);
  const row: Row = { base: null, cells, joined: new Map(), types: new Map([["v", type]]) };
  const pred = { op, path: ["v"], value: { lit: value } };
  return matches(pred, row, { cgs: null, entity: null });
}

const number: ValueType = { kind: "number" };
const text: ValueType = { kind: "string", semantics: "short" };
const date: ValueType = { kind: "date", format: "rfc3339" };
const unix: ValueType = { kind: "date", format: "unix_sec" };
const ref: ValueType = { kind: "entity_ref", target: "Boat" };
const tags: ValueType = { kind: "array", items: text };
const json: ValueType = { kind: "json" };

describe("RUN-113: local comparison is by declared type", () => {
  test.each<[ValueType, Json, TestOp, Json, boolean]>([
    [number, "9", "<", 10, true],
    [number, 12.5, "=", "12.50", true],
    [number, "12.345678901234567890", ">", 12.345678901234567, true],
    [number, "heavy", ">", 1, false],
    [text, "10", "<", "9", true],
    [text, "\u{1F6A4}", ">", "\uFB01", true],
    [text, "Sea Star", "~", "STAR", true],
    [text, "Sea Star", "=", "sea star", false],
    [text, "a", "in", ["b", "a"], true],
    [date, "2015-01-01T00:00:00Z", "<", "2015-01-01", false],
    [date, "2014-12-31T23:30:00-01:00", ">=", "2015-01-01", true],
    [date, "2015-01-01T13:00:00Z", "=", "2015-01-01", true],
    [date, "2015-01-02T00:30:00+01:00", "=", "2015-01-01", true],
    [date, "2015-01-01T13:00:00Z", "!=", "2015-01-01", false],
    [date, "2015-01-01T13:00:00Z", "in", ["2015-01-01"], true],
    [date, "2015-01-01T13:00:00+01:00", "=", "2015-01-01T12:00:00Z", true],
    [unix, 1420070400, "=", "2015-01-01", true],
    [ref, 7, "=", "7", true],
    [ref, { boat: "b1", day: 2 }, "=", { day: "2", boat: "b1" }, true],
    [tags, ["Red", "blue"], "~", "red", true],
    [tags, ["red"], "=", ["red"], true],
    [json, { berth: 1 }, "~", "BERTH", true],
    [json, [1, 2], "~", 2, true],
    [json, { a: 1, b: 2 }, "=", { b: 2, a: 1 }, true],
    [{ kind: "boolean" }, true, "=", true, true],
  ])("%j: %j %s %j is %s", (type, cell, op, value, expected) => {
    expect(meets(cell, op, value, type)).toBe(expected);
  });

  test.each([null, undefined])("%s satisfies = null and != v, and nothing else", (cell) => {
    const ops: TestOp[] = ["=", "!=", ">", ">=", "<", "<=", "~", "in"];
    expect(ops.filter((op) => meets(cell, op, "x", text))).toEqual(["!="]);
    expect([meets(cell, "=", null, text), meets(cell, "!=", null, text)]).toEqual([true, false]);
  });
});

describe("RUN-113: conditions say which cells they compare in vain", () => {
  const flag: ValueType = { kind: "boolean" };
  test.each<[ValueType, Json, boolean]>([
    [flag, "yes", true],
    [flag, 2, true],
    [flag, false, false],
    [flag, null, false],
    [number, "heavy", true],
    [number, 3, false],
    [unix, 3, false],
    [text, "", false],
  ])("%j: %j does not fit: %s", (type, cell, unfit) => {
    const row: Row = {
      base: null,
      cells: new Map([["v", cell]]),
      joined: new Map(),
      types: new Map([["v", type]]),
    };
    const columns: string[] = [];
    const pred = { op: "=", path: ["v"], value: { lit: "x" } } as const;
    unfitCells(pred, { cgs: null, entity: null }, ({ column }) => columns.push(column))(row);
    expect(columns).toEqual(unfit ? ["v"] : []);
  });
});
