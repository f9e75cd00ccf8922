import { describe, expect, test } from "vitest";
import { ASYNC_WALL_SECONDS, createBudget, DEFAULT_LIMITS, FIXED, RunStop } from "./limits.ts";
import { createSharedHosts, TenantHosts } from "./gate.ts";
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
    work: 30_000_000,
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

  test("PLAN-053 work is taken as far as it reaches; a tenth more is for rows in hand", () => {
    const budget = createBudget({ ...DEFAULT_LIMITS, work: 10 }, clock);
    expect([budget.takeWork(3, 20), budget.stopped()]).toEqual([3, null]);
    expect([budget.takeWork(3, 20), budget.stopped()]).toEqual([2, "work"]);
    expect(() => budget.takeRequest()).toThrow(RunStop);
    expect([budget.takeWork(1, 11), budget.takeWork(20, 1)]).toEqual([0, 10]);
    expect([budget.takeWork(1, 1), budget.use().work]).toEqual([0, 11]);
  });

  test("rows are given as far as they reach", () => {
    const budget = createBudget({ ...DEFAULT_LIMITS, rows: 5 }, clock);
    expect([budget.takeRows(3), budget.takeRows(3), budget.takeRows(3)]).toEqual([3, 2, 0]);
  });
});

test("RUN-022, PLAN-060 a gate lets six a host and 24 a run through, in order of arrival", async () => {
  const gate = new TenantHosts(6).gate(24);
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
  const gate = new TenantHosts(1).gate(3);
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
  const gate = new TenantHosts(1).gate(1);
  await expect(gate.run("h", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  await expect(gate.run("h", () => Promise.resolve(7))).resolves.toBe(7);
});

/** How many tasks of each name are under way at most, where each takes a while. */
function crowd() {
  const open = new Map<string, number>();
  const most = new Map<string, number>();
  const order: string[] = [];
  const task = (name: string, run: string) => async (): Promise<void> => {
    order.push(run);
    open.set(name, (open.get(name) ?? 0) + 1);
    most.set(name, Math.max(most.get(name) ?? 0, open.get(name) ?? 0));
    await new Promise((done) => setTimeout(done, 1));
    open.set(name, (open.get(name) ?? 0) - 1);
  };
  return { task, most, order };
}

describe("18.12: limits to a host are a tenant's in a process, not a run's", () => {
  test("however many runs there are, so many requests go to a host, of each tenant", async () => {
    const hosts = createSharedHosts(6);
    const { task, most } = crowd();
    const runs = ["acme", "acme", "acme", "acme", "bolt"].map((tenant) => {
      const gate = hosts.of(tenant).gate(24);
      const all = Array.from({ length: 20 }, () => gate.run("api", task(tenant, tenant)));
      return Promise.all(all);
    });
    await Promise.all(runs);
    expect([...most]).toEqual([
      ["acme", 6],
      ["bolt", 6],
    ]);
  });

  test("runs that wait for a host take turns: a long one holds no short one up", async () => {
    const hosts = new TenantHosts(2);
    const { task, order } = crowd();
    const long = hosts.gate(24);
    const short = hosts.gate(24);
    const all = Array.from({ length: 100 }, () => long.run("api", task("api", "long")));
    await Promise.all([
      short.run("api", task("api", "short")),
      short.run("api", task("api", "short")),
    ]);
    expect(order.lastIndexOf("short")).toBeLessThan(10);
    await Promise.all(all);
    expect(hosts.isIdle).toBe(true);
  });

  test("who is cancelled, or has no time left, waits no longer for others", async () => {
    const hosts = new TenantHosts(1);
    let end = (): void => undefined;
    const holding = hosts.gate(24).run("api", () => new Promise<void>((done) => (end = done)));
    const stop = new AbortController();
    const gate = hosts.gate(24, { signal: stop.signal, wallLeft: () => 60_000 });
    const cancelled = gate.run("api", () => Promise.resolve(1));
    const late = hosts
      .gate(24, { signal: undefined, wallLeft: () => 1 })
      .run("api", () => Promise.resolve(2));
    stop.abort();
    await expect(cancelled).rejects.toMatchObject({ reason: "cancelled" });
    await expect(late).rejects.toMatchObject({ reason: "wall" });
    end();
    await holding;
    expect(hosts.isIdle).toBe(true);
  });
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
