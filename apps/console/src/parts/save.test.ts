import { describe, expect, it } from "vitest";
import { csvCell } from "./save.ts";

describe("cells of a CSV file", () => {
  it.each<[unknown, string]>([
    [null, ""],
    [12.5, "12.5"],
    ["plain", "plain"],
    ['a "b", c', '"a ""b"", c"'],
    ["two\nlines", '"two\nlines"'],
    ["=HYPERLINK(1)", "'=HYPERLINK(1)"],
    ["@SUM(A1)", "'@SUM(A1)"],
    ["＝1+1", "'＝1+1"],
    ["\n=1+1", '"\'\n=1+1"'],
    ["-2+cmd|' /C calc'!A0", "'-2+cmd|' /C calc'!A0"],
    ["-12.50000000000000000001", "-12.50000000000000000001"],
    [{ id: "b1" }, '"{""id"":""b1""}"'],
  ])("%j is %j: no text becomes a formula or another cell", (value, cell) => {
    expect(csvCell(value)).toBe(cell);
  });
});
