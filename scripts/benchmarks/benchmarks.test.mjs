import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../boot/versions.mjs";
import { PAGES, pageWithFigures, TABLES, tablesOn } from "./tables.mjs";

const pages = PAGES.map((path) => readFileSync(join(root, path), "utf8"));
const [page] = pages;
const result = (name) => JSON.parse(readFileSync(join(root, `bench/results/${name}.json`), "utf8"));

test("pages say what bench/results/ say (`node scripts/benchmarks-page.mjs` writes them)", () => {
  for (const one of pages) expect(one).toBe(pageWithFigures(one, result));
});

test("every table is on one page, once", () => {
  const tables = pages.flatMap(tablesOn);
  expect(new Set(tables)).toEqual(new Set(Object.keys(TABLES)));
  expect(new Set(tables).size).toBe(tables.length);
});

test("another figure is another page", () => {
  const other = (name) => {
    const made = structuredClone(result(name));
    if (name === "crashes") made.totals[0].kills += 1;
    return made;
  };
  expect(pageWithFigures(page, other)).not.toBe(page);
});

test("a table that there is not is named", () => {
  expect(() => pageWithFigures("<!-- figures: x -->\n\n<!-- end -->", result)).toThrow(
    "no table x",
  );
});
