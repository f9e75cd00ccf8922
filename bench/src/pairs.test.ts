import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { corePairs } from "./core-pairs.ts";
import { endToEndPairs, type EndToEnd } from "./end-to-end.ts";
import { fitPower } from "./fit.ts";
import { measurePairs, type Pair, type PairResult } from "./pair.ts";
import { resultTable } from "./results.ts";
import { ENGINE_WORKS } from "./engine-growth.ts";
import { FLAT, growthTable, LINEAR, measureGrowth, tooFast } from "./growth.ts";

/** That there is a figure is tested here, not how good it is. */
const BRIEF = { time: 0, iterations: 2 };

let whole: EndToEnd;

beforeAll(async () => {
  whole = await endToEndPairs();
});
afterAll(() => whole.close());

/** Names of the pairs that have figures which can be true. */
const measured = (results: readonly PairResult[]): readonly string[] =>
  results
    .filter(({ ours_ms, base_ms, ratio }) => {
      return ours_ms > 0 && base_ms > 0 && ratio === ours_ms / base_ms;
    })
    .map(({ name }) => name);

describe("pairs can be measured", () => {
  test("of the pure half", async () => {
    const results = await measurePairs(corePairs(), BRIEF);
    expect(measured(results)).toEqual([
      "parse",
      "check and plan",
      "hash",
      "expose",
      "wave",
      "render",
      "discover",
      "index",
    ]);
  });

  test("of whole runs", async () => {
    const results = await measurePairs(whole.pairs, BRIEF);
    expect(measured(results)).toEqual(["end to end, one request", "end to end, ten requests"]);
  });
});

test("growth is measured at every size, and fitted", async () => {
  const textSizes = [64, 128, 256, 512, 1024];
  const small = ENGINE_WORKS.map((work) => ({ ...work, sizes: [2, 4] }));
  const growths = await measureGrowth({ ...BRIEF, textSizes }, small);
  for (const { name, points, fit } of growths) {
    expect(points.length, name).toBeGreaterThanOrEqual(2);
    expect(
      points.every(({ ms }) => ms > 0),
      name,
    ).toBe(true);
    expect(fit.r2, name).toBeGreaterThanOrEqual(0);
  }
  expect(growthTable(growths).split("\n")).toHaveLength(growths.length);
});

test("26.6 what grows faster than it may is named", () => {
  const points = [1, 10, 100].map((size) => ({ size, ms: size }));
  const growth = { name: "work", unit: "rows", points, fit: fitPower(points) };
  expect(tooFast([{ ...growth, most: LINEAR }])).toEqual([]);
  const over = { ...growth, most: FLAT };
  expect(tooFast([over])).toEqual([over]);
  expect(growthTable([over])).toMatch(/^size\^1 .* OVER 0\.1$/);
});

test.each([
  ["flat", [1, 10, 100].map((size) => ({ size, ms: 3 })), 0],
  ["linear", [1, 10, 100].map((size) => ({ size, ms: 2 * size })), 1],
  ["quadratic", [1, 10, 100].map((size) => ({ size, ms: size ** 2 })), 2],
])("a fit finds the exponent of what is %s", (_kind, points, exponent) => {
  expect(fitPower(points).exponent).toBeCloseTo(exponent);
  expect(fitPower(points).r2).toBeCloseTo(1);
});

test("a side that fails is no figure", async () => {
  const fails = () => {
    throw new Error("broken");
  };
  const pair: Pair = {
    name: "broken",
    ours: { what: "fails", run: fails },
    base: { what: "works", run: () => 1 },
  };
  await expect(measurePairs([pair], BRIEF)).rejects.toThrow("broken · ours was not measured");
});

const idsOf = (rows: readonly unknown[]): readonly string[] =>
  rows.map((row) => (row as { readonly id: string }).id).toSorted();

test("both sides of a whole run read the same rows", async () => {
  for (const { ours, base } of whole.pairs) {
    const run = (await ours.run()) as { readonly results: readonly { rows: readonly object[] }[] };
    const [first, ...rest] = (await base.run()) as readonly unknown[];
    expect(idsOf(run.results[0]?.rows ?? [])).toEqual(idsOf(rest.length === 0 ? [first] : rest));
  }
});

test("figures are shown with ratio, milliseconds and what they compare", () => {
  const result = { name: "n", ours: "ours", base: "base", ours_ms: 0.5, base_ms: 0.25, ratio: 2 };
  expect(resultTable([result])).toMatch(/^ +2x {2}0\.5 ms \/ 0\.25 ms +n: ours \/ base$/);
});
