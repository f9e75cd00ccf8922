import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { OperationStep } from "../../records/operations.ts";
import { observe, progressFrom, ROWS_EVERY_MS } from "./progress.ts";

const at = (k: number, rows = 0, of = 9): OperationStep => ({ k, of, label: `l${k}`, rows });

describe("what is an event of a running operation (OPS-20, L36)", () => {
  it("a new step at once, whatever its rows", () => {
    const { progress, emitted } = observe(progressFrom(1, at(0), 0), at(1), 1);
    expect(emitted).toBe(true);
    expect(progress).toMatchObject({ event: 2, told: at(1), toldAt: 1 });
  });

  it.each([
    [ROWS_EVERY_MS - 1, false],
    [ROWS_EVERY_MS, true],
  ])("rows %d ms after the last event: %s", (ms, emitted) => {
    const began = progressFrom(2, at(1, 10), 0);
    expect(observe(began, at(1, 20), ms).emitted).toBe(emitted);
    expect(observe(began, at(1, 20), ms).progress.now.rows).toBe(20);
  });

  it("nothing where nothing moved, however late", () => {
    expect(observe(progressFrom(2, at(1, 10), 0), at(1, 10), 60_000).emitted).toBe(false);
  });

  it("never a step back, as after a recovery (OPS-32)", () => {
    const { progress, emitted } = observe(progressFrom(5, at(4), 0), at(1, 3), 10);
    expect([emitted, progress.now.k]).toEqual([false, 4]);
  });
});

/** What a run shows: steps that rise and rows that grow, at times that go on. */
const shows = fc.array(
  fc.record({
    ms: fc.integer({ min: 0, max: 5_000 }),
    up: fc.boolean(),
    more: fc.integer({ min: 0, max: 50 }),
  }),
  { maxLength: 120 },
);

describe("OPS-20: events ≤ 2 + steps + Σ(step seconds / 2)", () => {
  it("P15 L36 for any schedule, numbered without gaps", () => {
    fc.assert(
      fc.property(shows, fc.integer({ min: 1, max: 40 }), (all, of) => {
        let progress = progressFrom(1, { k: 0, of, label: null, rows: 0 }, 0);
        let [now, k, rows, events] = [0, 0, 0, 1];
        const seconds = new Map<number, number>();
        for (const { ms, up, more } of all) {
          seconds.set(k, (seconds.get(k) ?? 0) + ms / 1_000);
          now += ms;
          rows = up ? 0 : rows + more;
          k = Math.min(of, up || k === 0 ? k + 1 : k);
          const seen = observe(progress, { k, of, label: null, rows }, now);
          if (seen.emitted) events += 1;
          expect(seen.progress.event).toBe(events);
          progress = seen.progress;
        }
        const bound = [...seconds.values()].reduce((sum, each) => sum + each / 2, 0);
        // The terminal event is the one more that the bound allows.
        expect(events + 1).toBeLessThanOrEqual(2 + of + bound);
      }),
    );
  });
});
