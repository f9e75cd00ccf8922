import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { leftOut, SLOW_TESTS } from "../tooling/vitest/slow-tests.mjs";

test("each slow file is there, and runs in one of four turns", () => {
  const root = new URL("../", import.meta.url);
  expect(SLOW_TESTS.filter((path) => !existsSync(new URL(path, root)))).toEqual([]);
  const out = ["0", "1", "2", "3"].flatMap((turn) => leftOut(turn));
  expect(out).toHaveLength(3 * SLOW_TESTS.length);
  expect(new Set(out).size).toBe(SLOW_TESTS.length);
});

test("without a turn nothing is left out", () => {
  expect([leftOut(""), leftOut("x")]).toEqual([[], []]);
});
