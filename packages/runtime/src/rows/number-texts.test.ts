import { expect, test } from "vitest";
import { atOnce } from "../base/turns.ts";
import { areNumbers, isNumbersOrder } from "./number-texts.ts";
import type { Row, RowColumn } from "./row.ts";

const column: RowColumn = {
  name: "price",
  type: { kind: "string", semantics: "short" },
  read: (row) => row.cells?.get("price"),
};
const rowsOf = (cells: readonly (string | null)[]): readonly Row[] =>
  cells.map((cell) => ({ base: null, cells: new Map([["price", cell]]), joined: new Map() }));

test.each([
  [["9.50", "10.00"], true],
  [["1", "10", "2", "90"], true],
  [["100", null, "", "90"], true],
  [["-2", "-1"], true],
  [["10", "20", "30"], false],
  [["9", "10", "n/a"], false],
  [["v9", "v10"], false],
  [[], false],
])("LANG-065: whether the texts %j are numbers in another order is %s", (cells, are) => {
  expect(atOnce(areNumbers(rowsOf(cells), column))).toBe(are);
});

test("LANG-065: numbers that are text compare as text", () => {
  expect(isNumbersOrder("90.37", "100")).toBe(true);
  expect(isNumbersOrder("100.5", "100")).toBe(false);
  expect(isNumbersOrder("abc", "100")).toBe(false);
  expect(isNumbersOrder(90, "100")).toBe(false);
});
