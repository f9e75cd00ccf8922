import type { StructuredResult } from "@plasm/agent-core";
import { expect, test } from "vitest";
import { isRight } from "./check-answer.ts";
import { effects, inOrder, oneNumber, patched, posted, rows, oneText } from "./task.ts";

type Cells = Readonly<Record<string, string | number | boolean | null>>;

function result(...list: readonly Cells[]): StructuredResult {
  const columns = Object.keys(list[0] ?? {});
  const rest = { partial: null, snapshot: null, next: null };
  return { name: "rows", columns, rows: list, row_count: list.length, ...rest };
}

const answered = (...results: readonly StructuredResult[]) => ({ results, effects: [] });

const TWO = rows([
  ["a", 1.5],
  ["b", null],
]);

test.each([
  [
    "in any order, under any names",
    [
      { x: "b", y: null },
      { x: "a", y: 1.5 },
    ],
    true,
  ],
  [
    "columns in another order, and one more",
    [
      { n: "1.50", z: true, k: "a" },
      { n: null, z: true, k: "b" },
    ],
    true,
  ],
  [
    "cells of other rows",
    [
      { x: "a", y: null },
      { x: "b", y: 1.5 },
    ],
    false,
  ],
  ["a row too few", [{ x: "a", y: 1.5 }], false],
  [
    "a row too many",
    [
      { x: "a", y: 1.5 },
      { x: "b", y: null },
      { x: "b", y: null },
    ],
    false,
  ],
  ["a column too few", [{ x: "a" }, { x: "b" }], false],
] as const)("rows: %s", (_, list, right) => {
  expect(isRight(TWO, answered(result(...list)))).toBe(right);
});

test("rows of several results with the same columns count together", () => {
  expect(isRight(TWO, answered(result({ x: "a", y: 1.5 }), result({ x: "b", y: null })))).toBe(
    true,
  );
  expect(isRight(TWO, answered(result({ x: "a", y: 1.5 }), result({ z: "b", y: null })))).toBe(
    false,
  );
});

test("rows in order must be in order", () => {
  const list = [{ x: "a" }, { x: "b" }];
  expect(isRight(inOrder([["a"], ["b"]]), answered(result(...list)))).toBe(true);
  expect(isRight(inOrder([["a"], ["b"]]), answered(result(...list.toReversed())))).toBe(false);
});

test("moments are compared in UTC, and days with their midnight", () => {
  const at = (x: string) => answered(result({ x }));
  expect(isRight(rows([["2026-01-05T08:00:00Z"]]), at("2026-01-05T10:00:00+02:00"))).toBe(true);
  expect(isRight(rows([["2026-01-05"]]), at("2026-01-05T00:00:00Z"))).toBe(true);
  expect(isRight(rows([["2026-01-05"]]), at("2026-01-05T08:00:00Z"))).toBe(false);
});

test("a number is a cell of a result of one row, no rows' own", () => {
  expect(isRight(oneNumber(2.5, 0.01), answered(result({ n: 2.504 })))).toBe(true);
  expect(isRight(oneNumber(2.5, 0.01), answered(result({ n: 2.52 })))).toBe(false);
  expect(isRight(oneNumber(2), answered(result({ n: 2 }, { n: 3 })))).toBe(false);
});

test("text is compared without blank ends of lines and empty lines", () => {
  expect(isRight(oneText("- a\n- b"), answered(result({ content: "- a \n\n- b\n" })))).toBe(true);
  expect(isRight(oneText("- a\n- b"), answered(result({ content: "- b\n- a" })))).toBe(false);
});

test("effects are those that were asked for, in any order, and no others", () => {
  const wanted = effects([
    patched("/books/b1", { price: 1.5 }),
    posted("/books/b2/reorder", { quantity: 3 }),
  ]);
  const sent = [
    posted("/books/b2/reorder", { quantity: 3 }),
    patched("/books/b1", { price: "1.50" }),
  ];
  expect(isRight(wanted, { results: [], effects: sent })).toBe(true);
  expect(isRight(wanted, { results: [], effects: sent.slice(1) })).toBe(false);
  expect(isRight(wanted, { results: [], effects: [...sent, posted("/books/b2/reorder")] })).toBe(
    false,
  );
  expect(isRight(rows([["a"]]), { ...answered(result({ x: "a" })), effects: sent })).toBe(false);
});
