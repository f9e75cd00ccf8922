import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../boot/versions.mjs";
import { pageWithFigures, TABLES, tablesOn } from "./tables.mjs";

const page = readFileSync(join(root, "docs/benchmarks.md"), "utf8");
const result = (name) => JSON.parse(readFileSync(join(root, `bench/results/${name}.json`), "utf8"));

test("docs/benchmarks.md says what bench/results/ say (`node scripts/benchmarks-page.mjs` writes it)", () => {
  expect(page).toBe(pageWithFigures(page, result));
});

test("every table is on the page, once", () => {
  const tables = tablesOn(page);
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
