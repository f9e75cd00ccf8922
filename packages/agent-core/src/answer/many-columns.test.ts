import { actingIn, HOSTILE_KEYS } from "@plasm/testkit";
import { describe, expect, it } from "vitest";
import { layoutResult } from "./layout.ts";
import { resultBlock } from "./results.ts";

const columnsOf = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) => `column_${at}`);
const rowOf = (columns: readonly string[], value: string) =>
  Object.fromEntries(columns.map((name) => [name, value]));

const chars = (text: string): number => text.length;
const handles = { snapshot: "plasm://session/s0/r/1", rest: null, next: null };
const headOf = (rows: number, notLoaded: readonly string[] = []) => ({
  name: "wide",
  rows,
  range: null,
  partial: null,
  notLoaded,
  replaces: null,
});

describe("10,000 columns (SURF-11, SURF-12)", () => {
  const columns = columnsOf(10_000);

  it("columns go from the right until a row fits, and the remark counts those it does not name", () => {
    const input = { columns, keys: [], rows: [rowOf(columns, "x")] };
    const layout = layoutResult(input, 2_000, chars);
    const shown = layout.header.split("\t");
    expect(shown).toEqual(columns.slice(0, shown.length));
    expect(layout.tokens).toBeLessThanOrEqual(2_000);
    expect(layout.dropped).toEqual(columns.slice(shown.length));
    const last = resultBlock(headOf(1), layout, handles).split("\n").at(-1) ?? "";
    expect(last).toMatch(/^column_\d+, column_\d+, .* \+\d+ dropped · all: plasm:/);
    const named = last.split(" dropped")[0]?.split(", ") ?? [];
    const more = Number(named.pop()?.slice(1));
    expect(named).toEqual(layout.dropped.slice(0, named.length));
    expect(named.length + more).toBe(layout.dropped.length);
    expect(last.length).toBeLessThan(400);
    // One column more would not fit.
    const wider = layoutResult(
      { ...input, columns: columns.slice(0, shown.length + 1) },
      2_000,
      chars,
    );
    expect(wider.dropped).toHaveLength(1);
  });

  it("no rows: the columns that fit, and the others by their number", () => {
    const layout = layoutResult({ columns, keys: [], rows: [] }, 2_000, chars);
    expect(layout.header.length).toBeLessThanOrEqual(2_000);
    expect(layout.dropped.length).toBeGreaterThan(9_000);
    expect(resultBlock(headOf(0), layout, handles)).toMatch(/ dropped · all: /);
  });

  it("names of columns that no row has loaded take no more than their place", () => {
    const layout = layoutResult({ columns: ["id"], keys: [], rows: [{ id: 1 }] }, 2_000, chars);
    const block = resultBlock(headOf(1, columns), layout, handles);
    expect(block.split("\n").at(-1)?.length).toBeLessThan(400);
    expect(block).toMatch(/not loaded: column_0, .*, \+99\d\d$/);
  });

  it("ten times the columns take a few looks more at the budget, not ten times as many", () => {
    const looks = (count: number): number => {
      let counted = 0;
      const all = columnsOf(count);
      const counting = (text: string): number => {
        counted += 1;
        return text.length;
      };
      layoutResult({ columns: all, keys: [], rows: [rowOf(all, "x")] }, 2_000, counting);
      return counted;
    };
    expect(looks(10_000)).toBeLessThan(2 * looks(1_000));
  });
});

describe("columns of any name (LANG-063, SURF-13)", () => {
  const columns = HOSTILE_KEYS;
  const values = Object.fromEntries(columns.map((name, at) => [name, `v${at}`]));

  it("a header has a cell for each, and each cell of a row stands below its own", () => {
    const layout = layoutResult({ columns, keys: [], rows: [values] }, 100_000, chars);
    const block = resultBlock(headOf(1), layout, handles);
    expect(actingIn(block)).toEqual([]);
    const [, , header = "", row = ""] = block.split("\n");
    expect(header.split("\t")).toHaveLength(columns.length);
    expect(row.split("\t")).toEqual(columns.map((_, at) => `v${at}`));
  });

  it.each(columns)("%j alone is a table, too", (name) => {
    const rows = [Object.fromEntries([[name, 1]])];
    const layout = layoutResult({ columns: [name], keys: [], rows }, 1_000, chars);
    expect(resultBlock(headOf(1), layout, handles).split("\n")).toHaveLength(5);
  });
});
