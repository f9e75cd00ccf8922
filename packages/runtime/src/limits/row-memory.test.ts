import { describe, expect, test } from "vitest";
import { quickClock } from "../testing/fixture-run.ts";
import { systemClock } from "../ports.ts";
import { type Patience, rowLimits, RowMemory, type RunMemory } from "./row-memory.ts";

const limits = rowLimits({ process: 1000, tenant: 750, run: 300 });
const patient: Patience = {
  clock: systemClock,
  deadline: Number.MAX_SAFE_INTEGER,
  signal: undefined,
};

/** Whether a request for memory waits. */
async function waits(memory: RowMemory, taking: Promise<unknown>): Promise<boolean> {
  const before = memory.waiting;
  await Promise.race([taking, new Promise((resolve) => setImmediate(resolve))]);
  return memory.waiting > 0 && memory.waiting >= before;
}

const hour: Patience = {
  ...patient,
  // A timer cannot be set for longer.
  get deadline() {
    return Date.now() + 3_600_000;
  },
};

describe("18.6 the memory of rows", () => {
  test("18.6 a run gets no more than one run may have, and is told so at once", async () => {
    const run = new RowMemory(limits).open("a");
    expect(await run.take(300, hour)).toBe(true);
    await expect(run.take(1, hour)).rejects.toMatchObject({ limit: "run", wanted: 301 });
  });

  test("18.6 it is given only where all who hold some can still come to their limit", async () => {
    const memory = new RowMemory(limits);
    const [one, two, three] = [memory.open("a"), memory.open("a"), memory.open("a")];
    await one.take(250, hour);
    await two.take(200, hour);
    // 300 are free, and one of them needs 50, so that 450 are left for the others: but for a tenant's 750.
    const third = three.take(290, hour);
    expect(await waits(memory, third)).toBe(false);
    const more = memory.open("a").take(200, hour);
    expect(await waits(memory, more)).toBe(true);
    three.close();
    expect(await more).toBe(true);
  });

  test("18.6 runs that each want all they may have never wait for each other for ever", async () => {
    const memory = new RowMemory(limits);
    const ended: number[] = [];
    const work = async (tenant: string, at: number): Promise<void> => {
      const run = memory.open(tenant);
      for (let step = 0; step < 30; step += 1) await run.take(10, hour);
      ended.push(at);
      run.close();
    };
    await Promise.all(Array.from({ length: 40 }, (_, at) => work(`t${at % 3}`, at)));
    expect(ended).toHaveLength(40);
    expect([memory.held(), memory.waiting]).toEqual([0, 0]);
  });

  test("18.6 a tenant that takes all it may have leaves room for another", async () => {
    const memory = new RowMemory(limits);
    const open: RunMemory[] = [];
    const waiting = Array.from({ length: 20 }, async () => {
      const run = memory.open("greedy");
      open.push(run);
      await run.take(290, hour);
      return run;
    });
    const other = memory.open("other").take(200, hour);
    expect(await other).toBe(true);
    expect(memory.held("greedy")).toBeLessThanOrEqual(750);
    for (const each of waiting) (await each).close();
  });

  test("18.6 who waits is served when memory is given back, whichever tenant that is", async () => {
    const memory = new RowMemory(rowLimits({ process: 300, tenant: 300, run: 300 }));
    const first = memory.open("a");
    await first.take(300, hour);
    const order: string[] = [];
    const next = (tenant: string): Promise<void> => {
      const run = memory.open(tenant);
      return run.take(300, hour).then(() => {
        order.push(tenant);
        run.close();
      });
    };
    const all = [next("a"), next("a"), next("b")];
    const held = memory.open("a");
    held.note(1);
    first.close();
    expect(memory.waiting).toBe(3);
    held.close();
    await Promise.all(all);
    expect(order).toEqual(["a", "a", "b"]);
  });

  test("18.6 who waits until the run's time is over is told of which limit", async () => {
    const memory = new RowMemory(limits);
    await memory.open("a").take(300, hour);
    await memory.open("a").take(300, hour);
    const clock = quickClock();
    const late = { clock, deadline: clock.now() + 1000, signal: undefined };
    await expect(memory.open("a").take(200, late)).rejects.toMatchObject({ limit: "tenant" });
    await memory.open("b").take(300, hour);
    await expect(memory.open("c").take(290, late)).rejects.toMatchObject({ limit: "process" });
    expect(memory.waiting).toBe(0);
  });

  test("18.6 who is cancelled while it waits gets nothing, and holds nobody up", async () => {
    const memory = new RowMemory(rowLimits({ process: 300, tenant: 300, run: 300 }));
    const first = memory.open("a");
    await first.take(300, hour);
    const cancel = new AbortController();
    const taking = memory
      .open("a")
      .take(10, { ...hour, deadline: Date.now() + 60_000, signal: cancel.signal });
    cancel.abort();
    expect(await taking).toBe(false);
    expect(memory.waiting).toBe(0);
  });
});
