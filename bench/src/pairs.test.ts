import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { corePairs } from "./core-pairs.ts";
import { endToEndPairs, type EndToEnd } from "./end-to-end.ts";
import { measurePairs, type Pair, type PairResult } from "./pair.ts";
import { resultTable } from "./results.ts";

let whole: EndToEnd;

beforeAll(async () => {
  whole = await endToEndPairs();
});
afterAll(() => whole.close());

function expectMeasured(pairs: readonly Pair[], results: readonly PairResult[]): void {
  expect(results.map(({ name }) => name)).toEqual(pairs.map(({ name }) => name));
  for (const { ours_ms, base_ms, ratio } of results) {
    expect(ours_ms).toBeGreaterThan(0);
    expect(base_ms).toBeGreaterThan(0);
    expect(ratio).toBeCloseTo(ours_ms / base_ms);
  }
}

describe("pairs can be measured", () => {
  test("of the pure half: parse, check and plan, hash, expose, render", async () => {
    const pairs = corePairs();
    expect(pairs.map(({ name }) => name)).toEqual([
      "parse",
      "check and plan",
      "hash",
      "expose",
      "render",
    ]);
    expectMeasured(pairs, await measurePairs(pairs, { time: 1 }));
  });

  test("of whole runs", async () => {
    expectMeasured(whole.pairs, await measurePairs(whole.pairs, { time: 1 }));
  });
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
  await expect(measurePairs([pair], { time: 1 })).rejects.toThrow("broken · ours was not measured");
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
