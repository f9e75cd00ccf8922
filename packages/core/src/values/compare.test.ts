import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Json, ValueType } from "./value-type.ts";
import { compareCells, compareSortKeys, groupKey, keyText, sortKey } from "./sort-key.ts";
import { type TestOperator, testValue } from "./test-value.ts";

const string: ValueType = { kind: "string", semantics: "short" };
const number: ValueType = { kind: "number" };
const date: ValueType = { kind: "date", format: "rfc3339" };
const ref: ValueType = { kind: "entity_ref", target: "Boat" };
const json: ValueType = { kind: "json" };
const array: ValueType = { kind: "array", items: string };

describe("LANG-065: sort order", () => {
  test.each<[string, ValueType, readonly (Json | undefined)[]]>([
    ["numbers and decimal text", number, [-1, "0.5", 2, "10", "9007199254740993", "1e309", null]],
    [
      "dates by instant",
      date,
      ["2026-01-05T01:00:00+02:00", "2026-01-05", "2026-01-05T00:00:01Z", null],
    ],
    ["false before true", { kind: "boolean" }, [false, true, undefined]],
    ["text by code point", string, ["", "10", "9", "Z", "a", "\ufb01", "😀", null]],
    ["references by key text", ref, ["a", { id: "b" }, { day: 1, boat: "x" }, "c", null]],
    ["json", json, [false, true, 1, 2, "1", "a", [1], { a: 1 }, null]],
    [
      "18.19 json numbers that no double holds, among the numbers",
      json,
      ["-9007199254740993", 5, "9007199254740993", "1e401", "1", "a"],
    ],
    ["what does not fit is last", number, [1, "x"]],
  ])("%s", (_name, type, ordered) => {
    const shuffled = ordered.toReversed();
    expect(shuffled.toSorted((a, b) => compareCells(a, b, type))).toEqual(ordered);
    const known = ordered.filter((cell) => compareCells(cell, null, type) !== 0);
    const down = shuffled.toSorted((a, b) => compareCells(a, b, type, true));
    expect(down.slice(0, known.length)).toEqual(known.toReversed());
  });

  test("is a total preorder on any cells of any type", () => {
    const cell: fc.Arbitrary<Json> = fc.oneof(
      fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>,
      fc.constantFrom(
        "2026-01-05",
        "2026-01-05T00:00Z",
        "1",
        "01",
        "1e1",
        "x",
        "1e401",
        "10e400",
        "-9007199254740993",
      ),
    );
    const types = fc.constantFrom<ValueType>(string, number, date, ref, json, array, {
      kind: "boolean",
    });
    fc.assert(
      fc.property(types, cell, cell, cell, fc.boolean(), (type, a, b, c, down) => {
        const order = (x: Json, y: Json): number => Math.sign(compareCells(x, y, type, down));
        expect(order(a, a)).toBe(0);
        expect(order(a, b) + order(b, a)).toBe(0);
        const chained = order(a, b) <= 0 && order(b, c) <= 0;
        expect(!chained || order(a, c) <= 0).toBe(true);
      }),
    );
  });
});

describe("LANG-065: the same relation covers group and distinct equality", () => {
  test.each<[string, ValueType, Json, Json, boolean]>([
    ['1 and "1" differ', json, 1, "1", false],
    ['true and "" differ', json, true, "", false],
    ["a number and its decimal text", number, 1, "1.0", true],
    ["0 and -0", number, 0, -0, true],
    ["18.19 json numbers beyond a double, however written", json, "1e401", "10e400", true],
    ["18.19 neighbours of them", json, "9007199254740993", "9007199254740994", false],
    ["decimal texts", number, "12345678901234567890", "12345678901234567890.0", true],
    ["neighbours beyond a double", number, "9007199254740993", 9007199254740992, false],
    ["a bare date and its midnight", date, "2026-01-05", "2026-01-05T02:00:00+02:00", true],
    ["objects, whatever the order", json, { a: 1, b: 2 }, { b: 2, a: 1 }, true],
    ["references of one key", ref, 7, { id: "7" }, true],
    ["case", string, "a", "A", false],
  ])("%s", (_name, type, a, b, equal) => {
    const [left, right] = [sortKey(a, type), sortKey(b, type)];
    if (left === null || right === null) throw new Error("a cell does not fit");
    expect(compareSortKeys(left, right) === 0).toBe(equal);
    expect(groupKey(a, type) === groupKey(b, type)).toBe(equal);
  });

  test("group keys are equal exactly where the order is 0, and null where sort keys are", () => {
    const cell = fc.oneof(
      fc.jsonValue({ maxDepth: 1 }) as fc.Arbitrary<Json>,
      fc.constantFrom(
        "2026-01-05",
        "2026-01-05T00:00Z",
        "1",
        "1.0",
        1,
        "01",
        "1e1",
        10,
        "1e401",
        "10e400",
      ),
    );
    fc.assert(
      fc.property(fc.constantFrom(string, number, date, ref, json), cell, cell, (type, a, b) => {
        const [left, right] = [sortKey(a, type), sortKey(b, type)];
        expect(groupKey(a, type) === null).toBe(left === null);
        if (left === null || right === null) return;
        const equal = compareSortKeys(left, right) === 0;
        expect(groupKey(a, type) === groupKey(b, type)).toBe(equal);
      }),
    );
  });
});

describe("RUN-113: comparison by declared type", () => {
  test.each<[string, Json | undefined, TestOperator, Json, ValueType, boolean]>([
    ["numbers numerically", "10", ">", 9, number, true],
    ["decimal text equals number", "1.50", "=", 1.5, number, true],
    ["text exactly", "A", "=", "a", string, false],
    ["text by code point", "10", "<", "9", string, true],
    ["~ ignores case", "Sea Star", "~", "star", string, true],
    ["a bare date equals its day", "2026-01-05T10:00:00Z", "=", "2026-01-05", date, true],
    ["and differs from it not", "2026-01-05T10:00:00Z", "!=", "2026-01-05", date, false],
    ["a bare date is midnight", "2026-01-05T10:00:00Z", ">", "2026-01-05", date, true],
    ["refs by identity", { id: 1 }, "=", "1", ref, true],
    ["in", "b", "in", ["a", "b"], string, true],
    ["in with a day", "2026-01-05T10:00:00Z", "in", ["2026-01-05"], date, true],
    ["has element", ["Red", "blue"], "~", "red", array, true],
    ["has no part of an element", ["redder"], "~", "red", array, false],
    ["a list has each element, in any order", ["a", "b"], "=", ["b", "a"], array, true],
    ["a list has one element of several", ["a"], "=", ["b", "a"], array, false],
    ["a list has an element", ["a", "b"], "=", "b", array, true],
    ["a list lacks an element", ["a", "b"], "!=", "c", array, true],
    ["a list has any of several", ["a", "b"], "in", ["c", "b"], array, true],
    ["an empty list", [], "=", [], array, true],
    ["a list that is not empty", ["a"], "=", [], array, false],
    ["null is no empty list", null, "=", [], array, false],
    ["elements by their type", ["1.50"], "=", 1.5, { kind: "array", items: number }, true],
    ["options", ["a", "b"], "in", ["b"], { kind: "multi_select", options: ["a", "b"] }, true],
    ["a json key", { Colour: 1 }, "~", "colour", json, true],
    ["a json element", [1, 2], "~", 2, json, true],
    ["json text", "abc", "~", "B", json, true],
    ["text within json", { a: [{ b: "Deep Sea" }] }, "~", "deep", json, true],
    ["a number within json", { a: 7 }, "~", "7", json, true],
    ["null within json", { a: null }, "~", "null", json, false],
    ["a json list has", [1, "a"], "=", "a", json, true],
    ["a json list lacks", [1, "a"], "!=", "a", json, false],
    ["a json list has each", ["b", "a"], "=", ["a", "b"], json, true],
    ["a json list has any", ["b"], "in", ["a", "b"], json, true],
    ["json numbers in order", 10, ">", 9, json, true],
    ["json text that is a number", "10", ">", 9, json, true],
    ["json numbers written as text", 5, "=", "5", json, true],
    ["json text by code point", "10", "<", "9", json, true],
    ["json dates by instant", "2026-01-05T10:00:00+02:00", "<", "2026-01-05T09:00:00Z", json, true],
    ["a json date on a day", "2026-01-05T10:00:00Z", "=", "2026-01-05", json, true],
    ["json truth", true, "=", "true", json, true],
    ["json kinds that differ are in no order", "abc", ">", 5, json, false],
    ["nor equal", { a: 1 }, "=", 1, json, false],
    ["truth is in no order", true, ">", false, json, false],
    ["numbers no double holds", "12345678901234567890", ">", "9", json, true],
    ["text of one lone surrogate", "\ud800", "=", "a", json, false],
    ["json by value", { a: 1, b: [2] }, "=", { b: [2], a: 1 }, json, true],
    ["null = null", null, "=", null, string, true],
    ["unknown = null", undefined, "=", null, string, true],
    ["null != v", null, "!=", "a", string, true],
    ["null != null", null, "!=", null, string, false],
    ["null < v", null, "<", 1, number, false],
    ["null in [v]", null, "in", ["a"], string, false],
    ["v != null", "a", "!=", null, string, true],
    ["a cell that is no number has no order", "x", "<=", 1, number, false],
  ])("%s", (_name, cell, operator, value, type, meets) => {
    expect(testValue(cell, operator, value, type)).toBe(meets);
  });
});

test("RUN-046: key text", () => {
  expect(keyText("b1")).toBe("b1");
  expect(keyText(7)).toBe("7");
  expect(keyText({ id: "x=y" })).toBe("x=y");
  expect(keyText({ b: "1,2", a: "x%=" })).toBe("a=x%25%3D,b=1%2C2");
});
