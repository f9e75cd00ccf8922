import type { Json, ValueType } from "@plasm/core";
import { describe, expect, test } from "vitest";
import { instantOf } from "./instant.ts";
import { resolveRelativeDate, wireDate } from "./relative-date.ts";
import { testCell, type TestOp } from "./test-cell.ts";

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
    expect(testCell(cell, op, value, type)).toBe(expected);
  });

  test.each([null, undefined])("%s satisfies = null and != v, and nothing else", (cell) => {
    const ops: TestOp[] = ["=", "!=", ">", ">=", "<", "<=", "~", "in"];
    expect(ops.filter((op) => testCell(cell, op, "x", text))).toEqual(["!="]);
    expect([testCell(cell, "=", null, text), testCell(cell, "!=", null, text)]).toEqual([
      true,
      false,
    ]);
  });
});

describe("LANG-043: relative dates, against one clock reading, in UTC", () => {
  const now = Date.UTC(2026, 0, 5, 23, 30, 15);
  test.each([
    ["now", "2026-01-05T23:30:15.000Z"],
    ["today", "2026-01-05"],
    ["yesterday", "2026-01-04"],
    ["tomorrow", "2026-01-06"],
    ["today-7d", "2025-12-29"],
    ["today+2w", "2026-01-19"],
    ["today+36h", "2026-01-06T12:00:00.000Z"],
    ["now-30m", "2026-01-05T23:00:15.000Z"],
    ["someday", null],
  ])("%s is %s", (text_, expected) => {
    expect(resolveRelativeDate(text_, now)).toBe(expected);
  });

  test.each([
    ["2026-01-05", "unix_sec", 1767571200],
    ["2026-01-05", "unix_ms", 1767571200000],
    ["2026-01-05", "rfc3339", "2026-01-05T00:00:00Z"],
    ["2026-01-05T10:00:00+02:00", "rfc3339", "2026-01-05T08:00:00Z"],
    ["2026-01-05T23:00:00-02:00", "iso8601_date", "2026-01-06"],
  ] as const)("RUN-016 %s as %s", (text_, format, expected) => {
    expect(wireDate(text_, format)).toBe(expected);
  });

  test.each(["2026-02-30", "soon", "2026-13-01", ""])("%s is no date", (text_) => {
    expect(instantOf(text_, "rfc3339")).toBeNull();
  });
});
