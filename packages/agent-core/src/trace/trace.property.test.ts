import fc from "fast-check";
import { expect, it } from "vitest";
import { LOCAL } from "../identity/caller.ts";
import type { OperationKey, OperationQueue } from "../ports.ts";
import type { TraceFact, TraceKey } from "../records/traces.ts";
import { testStore } from "../../test/test-store.ts";
import { readTrace, type TraceReading } from "./read-trace.ts";
import {
  applyTracePatch,
  countFact,
  NOTHING,
  type TraceDetail,
  type TracePatch,
} from "./trace-view.ts";
import { TraceHub } from "./trace-hub.ts";
import { watchTrace } from "./watch-trace.ts";

const OWNER = "0".repeat(32);
const PLACE: TraceKey = { scope: LOCAL.scope, owner: OWNER, kind: "execute", subject: null };

const aFact: fc.Arbitrary<TraceFact> = fc.oneof(
  fc.record({
    type: fc.constant("graft" as const),
    graft_id: fc.constant("g1"),
    bytes: fc.nat(99),
  }),
  fc.record({
    type: fc.constant("call" as const),
    call: fc.constant("plasm_run" as const),
    outcome: fc.constantFrom("ok", "plasm-run-failed"),
    ms: fc.nat(9),
    plan_commit_ref: fc.constant(null),
    commit: fc.constant(null),
    rows: fc.nat(9),
    effects: fc.nat(2),
    accepted: fc.constant(null),
  }),
);

/** Which of three processes notes how many facts, and whether it writes them then. */
const aStep = fc.record({
  hub: fc.nat(2),
  facts: fc.oneof(
    fc.array(aFact, { minLength: 1, maxLength: 4 }),
    fc.tuple(aFact, fc.integer({ min: 200, max: 1_300 })).map(([fact, n]) => Array(n).fill(fact)),
  ) as fc.Arbitrary<TraceFact[]>,
  write: fc.boolean(),
});

/** News between processes, as one of them hears of it. */
function newsOf() {
  const heard = new Set<() => void>();
  return {
    announce: () => heard.forEach((tell) => tell()),
    queue: {
      listen: (_: OperationKey, tell: () => void) => {
        heard.add(tell);
        return () => void heard.delete(tell);
      },
    } as OperationQueue,
  };
}

it("P12 numbers have no gap, snapshot and patches are the detail, totals survive dropping", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(aStep, { minLength: 2, maxLength: 9 }), async (steps) => {
      const store = testStore();
      const { announce, queue } = newsOf();
      const warn = (_: string, cause: unknown): never => {
        throw cause;
      };
      const hubs = Array.from(
        { length: 3 },
        () => new TraceHub({ store, announce, warn, count: () => undefined }),
      );
      const from: TraceReading & { queue: OperationQueue } = {
        store,
        warn,
        queue,
        trace: { settled: async () => void (await Promise.all(hubs.map((hub) => hub.settled()))) },
        delegation: () => ({ delegated: false, principal: null }),
      };
      let [noted, totals] = [0, NOTHING];
      const note = (hub: TraceHub | undefined, facts: readonly TraceFact[]): void => {
        for (const fact of facts) {
          hub?.note(PLACE, fact);
          totals = countFact(totals, fact);
          noted += 1;
        }
      };
      note(hubs[0], [{ type: "graft", graft_id: "g0", bytes: 1 }]);
      const stopping = new AbortController();
      const stream = await watchTrace(from, LOCAL, OWNER, stopping.signal);
      let seen: TraceDetail | null = null;
      const following = (async () => {
        for await (const { event, line } of stream) {
          const data = JSON.parse(line) as unknown;
          if (event === "snapshot") seen = data as TraceDetail;
          else if (seen !== null) seen = applyTracePatch(seen, data as TracePatch);
        }
      })();
      for (const { hub, facts, write } of steps) {
        note(hubs[hub], facts);
        if (write) await Promise.all(hubs.map((one) => one.flush()));
      }
      const detail = await readTrace(from, LOCAL, OWNER);
      await Promise.all(hubs.map((one) => one.stop()));
      const numbers = detail.events.map(({ n }) => n);
      expect(numbers).toEqual(numbers.map((_, index) => detail.dropped + 1 + index));
      expect(detail.seq).toBe(noted);
      expect(detail.dropped + numbers.length).toBe(noted);
      expect(numbers.length).toBe(Math.min(noted, 1_000));
      expect(detail.totals).toEqual(totals);
      while ((seen as TraceDetail | null)?.seq !== noted) await new Promise(setImmediate);
      expect(seen).toEqual(detail);
      stopping.abort();
      await following;
    }),
    { numRuns: 25 },
  );
});
