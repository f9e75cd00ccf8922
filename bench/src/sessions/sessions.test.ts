import { expect, test } from "vitest";
import { measureOpen } from "./measure-open.ts";
import { measureWaves } from "./measure-waves.ts";
import { openText, wavesText } from "./sessions-text.ts";

/** That there are figures is tested here, and those that no machine changes. */
test("TEACH-30 TEACH-41 waves cost the same whatever came before, in tokens and in calls of the store", async () => {
  const result = await measureWaves({
    catalogs: 4,
    entities: 12,
    perWave: 2,
    sessions: 1,
    block: 4,
  });
  expect(result.waves).toBe(24);
  expect(result.unchanged_tokens_most).toBeLessThanOrEqual(60);
  for (const { name, unit, points } of result.costs) {
    if (unit !== "calls") continue;
    const [, second, ...later] = points.map(({ value }) => value);
    expect([name, ...later]).toEqual([name, ...later.map(() => second)]);
  }
  const tokens = result.costs.find(({ name }) => name === "the next wave: tokens");
  const [, second = 0, ...later] = tokens?.points.map(({ value }) => value) ?? [];
  for (const value of later) expect(Math.abs(value - second)).toBeLessThanOrEqual(0.1 * second);
  expect(wavesText(result).split("\n")).toHaveLength(19);
});

test("what open sessions cost can be measured", async () => {
  const result = await measureOpen({ sessions: 6, called: 3 });
  expect(result.slower.plan).toBeGreaterThan(0);
  expect(result.slower.context).toBeGreaterThan(0);
  expect(openText(result)).toContain("6 open sessions in SQLite");
});
