import { expect, test } from "vitest";
import { leastCpu } from "./least-cpu.ts";

/** Work of so many milliseconds of CPU. */
function busy(ms: number): void {
  const until = process.cpuUsage().user + ms * 1_000;
  while (process.cpuUsage().user < until);
}

const twice = (small: number): number => 2 * small + 5;

test("what a busy machine adds to some tries is not counted", () => {
  let tries = 0;
  const { large, most } = leastCpu(
    () => busy(4),
    () => busy((tries += 1) <= 5 ? 60 : 4),
    twice,
  );
  expect(tries).toBeGreaterThan(5);
  expect(large).toBeLessThan(most);
});

test("what takes too much does so however often it is tried", () => {
  let tries = 0;
  const { large, most } = leastCpu(
    () => busy(2),
    () => {
      tries += 1;
      busy(32);
    },
    twice,
  );
  expect(tries).toBeGreaterThan(10);
  expect(large).toBeGreaterThanOrEqual(most);
});
