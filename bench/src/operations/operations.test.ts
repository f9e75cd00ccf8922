import { afterAll, beforeAll, expect, test } from "vitest";
import { measurePairs } from "../pair.ts";
import { loadTable } from "./load-table.ts";
import { measureLoad } from "./measure-load.ts";
import { operationPairs, type OperationPairs } from "./operation-pairs.ts";
import { quantile } from "./quantile.ts";

let calls: OperationPairs;
beforeAll(async () => {
  calls = await operationPairs();
});
afterAll(() => calls.close());

/** That there is a figure is tested here, not how good it is. */
test("calls about an operation can be measured", async () => {
  const results = await measurePairs(calls.pairs, { time: 0, iterations: 2 });
  expect(results.map(({ name }) => name)).toEqual([
    "dry run",
    "accept",
    "wait, ended",
    "wait, at once",
  ]);
  for (const { ours_ms, base_ms } of results) {
    expect(Math.min(ours_ms, base_ms)).toBeGreaterThan(0);
  }
});

test("a load is run to its end, and each step of it is told to whoever follows", async () => {
  const load = { operations: 4, steps: 10, stepMs: 20, rampMs: 100 };
  const result = await measureLoad({ ...load, store: "sqlite", servers: 1 });
  expect(result).toMatchObject({ failed: 0, complaints: 0 });
  const { progress_stream_ms, progress_poll_ms, end_ms, accept_ms } = result;
  for (const { p50, p99, max } of [progress_stream_ms, progress_poll_ms, end_ms, accept_ms]) {
    expect(p50).toBeGreaterThan(0);
    expect([p50, p99, max]).toEqual([p50, p99, max].toSorted((one, other) => one - other));
  }
  expect(loadTable([result])).toMatch(
    /^4 operations of 10 steps, 1 process on sqlite, 20 ms a step: 0 failed, \d at once\n/,
  );
});

test.each([
  [[3, 1, 2], 0.5, 2],
  [[3, 1, 2], 1, 3],
  [Array.from({ length: 200 }, (_none, index) => index), 0.99, 198],
  [[], 0.5, Number.NaN],
])("quantiles of list %#", (values, share, expected) => {
  expect(quantile(values, share)).toBe(expected);
});
