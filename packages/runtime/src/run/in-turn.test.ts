import { describe, expect, test } from "vitest";
import { FIXED } from "../limits/limits.ts";
import { inTurn } from "./in-turn.ts";

/** Numbers from 0 on, each held until it is let go; notes which have begun. */
function held(count: number) {
  const ends = new Map<number, () => void>();
  const begun: number[] = [];
  return {
    begun,
    next: () => (begun.length < count ? (begun.push(begun.length), begun.length - 1) : null),
    work: (n: number) => new Promise<number>((end) => ends.set(n, () => end(n))),
    letGo: async (n: number) => {
      ends.get(n)?.();
      for (let hops = 0; hops < 10; hops++) await Promise.resolve();
    },
  };
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_none, n) => n);

describe("PLAN-060: work for many rows, so much of it at a time", () => {
  test("each begins as soon as there is room, whoever made it; all are taken in their order", async () => {
    const { begun, next, work, letGo } = held(27);
    const taken: number[] = [];
    const all = inTurn({ next, work, isLast: () => false, take: (n) => taken.push(n) });
    expect(begun).toEqual(upTo(FIXED.perRun));
    await letGo(1);
    expect([begun, taken]).toEqual([upTo(25), []]);
    await letGo(0);
    expect([begun, taken]).toEqual([upTo(26), [0, 1]]);
    await letGo(25);
    expect(begun).toEqual(upTo(27));
    for (const n of upTo(27).toReversed()) await letGo(n);
    await all;
    expect(taken).toEqual(upTo(27));
  });

  test("none begins after the last one, and none behind it is taken", async () => {
    const { begun, next, work, letGo } = held(30);
    const taken: number[] = [];
    const all = inTurn({ next, work, isLast: (n) => n === 5, take: (n) => taken.push(n) });
    await letGo(1);
    await letGo(5);
    for (const n of [9, 24, 0]) await letGo(n);
    expect([begun, taken]).toEqual([upTo(25), [0, 1]]);
    for (const n of upTo(25)) await letGo(n);
    await all;
    expect(taken).toEqual(upTo(6));
  });

  test("one that throws ends it: none begins after it, and none is taken", async () => {
    const { begun, next, work, letGo } = held(30);
    const taken: number[] = [];
    const all = inTurn({
      next,
      work: async (n) => {
        await work(n);
        if (n === 2) throw new Error("no");
        return n;
      },
      isLast: () => false,
      take: (n) => taken.push(n),
    });
    const told = all.catch((error: unknown) => String(error));
    await letGo(2);
    await letGo(4);
    expect(await told).toBe("Error: no");
    for (const n of [0, 1, 3]) await letGo(n);
    expect([begun, taken]).toEqual([upTo(24), []]);
  });

  test.each([0, 1, 2])("%i pieces", async (count) => {
    const { next } = held(count);
    const taken: number[] = [];
    const work = (n: number) => Promise.resolve(n);
    await inTurn({ next, work, isLast: () => false, take: (n) => taken.push(n) });
    expect(taken).toEqual(upTo(count));
  });
});
