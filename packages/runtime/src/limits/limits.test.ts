import { describe, expect, test } from "vitest";
import { createBudget, RunStop } from "./budget.ts";
import { createGate } from "./gate.ts";
import { ASYNC_WALL_SECONDS, DEFAULT_LIMITS, FIXED } from "./limits.ts";
import { backoffMs, retryAfterMs } from "./retry-rules.ts";

const clock = { now: () => 1_000, sleep: () => Promise.resolve() };

test("RUN-130 defaults", () => {
  expect(DEFAULT_LIMITS).toEqual({
    requests: 500,
    rows: 10_000,
    pages: 100,
    fan_out: 500,
    bytes: 64 * 1024 * 1024,
    wall: 45,
  });
  expect(ASYNC_WALL_SECONDS).toBe(1_800);
  expect([FIXED.perHost, FIXED.perRun]).toEqual([6, 24]);
});

describe("PLAN-050: budgets", () => {
  test("requests are counted until none may start", () => {
    const budget = createBudget({ ...DEFAULT_LIMITS, requests: 2 }, clock);
    budget.takeRequest();
    expect(budget.stopped()).toBeNull();
    budget.takeRequest();
    expect(budget.stopped()).toBe("requests");
    expect(() => budget.takeRequest()).toThrow(RunStop);
    expect(budget.use().requests).toBe(2);
  });

  test("18.8 wall time is counted by a clock that nobody sets", () => {
    const time = { now: 1_000, elapsed: 5 };
    const stepped = { ...clock, now: () => time.now, elapsed: () => time.elapsed };
    const budget = createBudget({ ...DEFAULT_LIMITS, wall: 10 }, stepped);
    time.now += 3_600_000;
    expect([budget.stopped(), budget.wallLeft()]).toEqual([null, 10_000]);
    time.now -= 7_200_000;
    time.elapsed += 9_999;
    expect([budget.stopped(), budget.wallLeft()]).toEqual([null, 1]);
    time.elapsed += 1;
    expect(budget.stopped()).toBe("wall");
  });

  test("rows are given as far as they reach", () => {
    const budget = createBudget({ ...DEFAULT_LIMITS, rows: 5 }, clock);
    expect([budget.takeRows(3), budget.takeRows(3), budget.takeRows(3)]).toEqual([3, 2, 0]);
  });
});

test("RUN-022, PLAN-060 a gate lets six a host and 24 a run through, in order of arrival", async () => {
  const gate = createGate(6, 24);
  const open = new Map<string, number>();
  let all = 0;
  let most = 0;
  const mostOf = new Map<string, number>();
  const order: number[] = [];
  const task = (host: string, n: number) =>
    gate.run(host, async () => {
      order.push(n);
      open.set(host, (open.get(host) ?? 0) + 1);
      most = Math.max(most, ++all);
      mostOf.set(host, Math.max(mostOf.get(host) ?? 0, open.get(host) ?? 0));
      await new Promise((done) => setTimeout(done, 1));
      open.set(host, (open.get(host) ?? 0) - 1);
      all--;
    });
  await Promise.all(Array.from({ length: 80 }, (_n, i) => task(`h${i % 8}`, i)));
  expect([most, ...mostOf.values()]).toEqual([24, ...Array.from({ length: 8 }, () => 3)]);
  expect(order.slice(0, 24)).toEqual(Array.from({ length: 24 }, (_n, i) => i));
  most = 0;
  mostOf.clear();
  await Promise.all(Array.from({ length: 30 }, (_n, i) => task("one", i)));
  expect([most, mostOf.get("one")]).toEqual([6, 6]);
});

test("RUN-022 who waits for one host holds nobody of another back, and goes in turn", async () => {
  const gate = createGate(1, 3);
  const order: string[] = [];
  const ends = new Map<string, () => void>();
  const task = (host: string, name: string) =>
    gate.run(host, async () => {
      order.push(name);
      await new Promise<void>((end) => ends.set(name, end));
    });
  const all = [task("a", "a1"), task("a", "a2"), task("b", "b1"), task("a", "a3"), task("c", "c1")];
  const last = task("d", "d1");
  expect(order).toEqual(["a1", "b1", "c1"]);
  for (const name of ["b1", "a1", "a2", "d1", "a3", "c1"]) {
    // Whoever ends has begun: each end lets the next one in.
    while (!ends.has(name)) await Promise.resolve();
    ends.get(name)?.();
  }
  await Promise.all([...all, last]);
  expect(order).toEqual(["a1", "b1", "c1", "d1", "a2", "a3"]);
});

test("RUN-022 a slot is given back when its task fails", async () => {
  const gate = createGate(1, 1);
  await expect(gate.run("h", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  await expect(gate.run("h", () => Promise.resolve(7))).resolves.toBe(7);
});

describe("RUN-025: waiting", () => {
  test.each([
    [1, 1, 500],
    [2, 1, 1_000],
    [2, 0.5, 500],
    [7, 1, 20_000],
    [30, 1, 20_000],
    [3, 0, 0],
  ])("attempt %i with jitter %f waits %i ms", (attempt, random, expected) => {
    expect(backoffMs(attempt, random)).toBe(expected);
  });

  const now = Date.UTC(2026, 0, 5, 12, 0, 0);
  test.each([
    ["0", 0],
    ["90", 90_000],
    ["1.5", 1_500],
    ["Mon, 05 Jan 2026 12:00:30 GMT", 30_000],
    ["Mon, 05 Jan 2026 11:00:00 GMT", 0],
    ["soon", null],
    ["-3", null],
    [undefined, null],
  ])("Retry-After %s is %s ms", (value, expected) => {
    expect(retryAfterMs(value, now)).toBe(expected);
  });
});
