import type { Json } from "@plasm/core";
import { expect, test } from "vitest";
import { cellLayout, ColumnCells } from "./derived-cells.ts";

const NAMES = ["id", "owner", "size", "__proto__"];

test.each([0, 1, 2, 4])("%i cells beside shared columns are read as a map of them is", (count) => {
  const values: readonly Json[] = ["b1", null, [1], 0];
  const names = NAMES.slice(0, count);
  const [first = null, ...more] = values.slice(0, count);
  const cells = new ColumnCells(cellLayout(names), first, more);
  const map = new Map(names.map((name, at) => [name, values[at] ?? null]));
  expect([...cells]).toEqual([...map]);
  expect([...cells.keys()]).toEqual([...map.keys()]);
  expect([...cells.values()]).toEqual([...map.values()]);
  expect(cells.size).toBe(map.size);
  expect(new Map(cells)).toEqual(map);
  const seen: [string, Json][] = [];
  cells.forEach((value, name) => seen.push([name, value]));
  expect(seen).toEqual([...map]);
  for (const name of [...NAMES, "none", "toString"]) {
    expect([cells.get(name), cells.has(name)]).toEqual([map.get(name), map.has(name)]);
  }
});

test("a column that is named twice is one", () => {
  expect(cellLayout(["a", "b", "a"]).names).toEqual(["a", "b"]);
});
