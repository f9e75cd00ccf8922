import { expect, test } from "vitest";
import { decodePairs } from "./decode-pairs.ts";
import { measurePairs } from "./pair.ts";

test("both sides decode the same rows", () => {
  for (const { ours, base } of decodePairs(1_000)) expect(ours.run()).toEqual(base.run());
});

test("decoding can be measured", async () => {
  const [result] = await measurePairs(decodePairs(10), { time: 0, iterations: 2 });
  expect(result?.ratio).toBeGreaterThan(0);
});
