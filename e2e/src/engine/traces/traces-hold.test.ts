import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Engine, LOCAL } from "@plasm/agent-core";
import fc from "fast-check";
import { afterAll, beforeAll, it } from "vitest";
import { openEngine } from "../open-engine.ts";
import { follow } from "./follow.ts";
import type { Call, Noted, WriterQuestion } from "./messages.ts";
import { plus, type Sum, Writer } from "./writer.ts";

let dataDir: string;
let engine: Engine;
let writers: readonly Writer[];
let worlds = 0;

/** Two processes that write, and this one, which reads what they do on the same files. */
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "plasm-traces-"));
  engine = await openEngine({ dataDir });
  writers = [new Writer(dataDir), new Writer(dataDir)];
  await Promise.all(writers.map((writer) => writer.start()));
});
afterAll(async () => {
  await Promise.all(writers.map((writer) => writer.end()));
  await engine.close();
  await rm(dataDir, { recursive: true, force: true });
});

const KEPT = 1_000;
const NOTHING: Sum = { calls: 0, failed_calls: 0, rows: 0 };

/** Numbers that tell one fact from another by what they add up to. */
const fact = fc.record({ rows: fc.nat(999), failed: fc.boolean() }).map(({ rows, failed }) => ({
  type: "call" as const,
  call: "plasm_run" as const,
  outcome: failed ? "plasm-run-failed" : "ok",
  ms: 1,
  plan_commit_ref: null,
  commit: null,
  rows,
  effects: 0,
  accepted: null,
}));

/** Which writer notes how many facts, and whether it writes them then, or dies as it does. */
interface Step {
  readonly writer: number;
  readonly fact: Call;
  readonly times: number;
  readonly how: Pick<WriterQuestion, "write" | "dieAt">;
}

const step: fc.Arbitrary<Step> = fc.record({
  writer: fc.nat(1),
  fact,
  times: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 200, max: 700 })),
  how: fc.oneof(
    { weight: 2, arbitrary: fc.constant({ write: false, dieAt: null }) },
    { weight: 3, arbitrary: fc.constant({ write: true, dieAt: null }) },
    {
      weight: 1,
      arbitrary: fc.record({ write: fc.constant(true), dieAt: fc.integer({ min: 1, max: 8 }) }),
    },
  ),
});

/** Has a writer take its steps one after the other. */
async function takeSteps(writer: Writer, owner: string, steps: readonly Step[]) {
  const all: (readonly (readonly Noted[])[])[] = [];
  for (const { fact: noted, times, how } of steps)
    all.push(await writer.ask({ noted: { owner, fact: noted, times }, ...how }));
  // What it still has.
  return [...all, await writer.ask({ noted: null, write: true, dieAt: null })];
}

/** Has both write at the same time, and gives what the trace may come to: a dead one loses what it had. */
async function write(owner: string, steps: readonly Step[], from: Sum): Promise<readonly Sum[]> {
  const decided = await Promise.all(
    writers.map((writer, at) =>
      takeSteps(
        writer,
        owner,
        steps.filter((one) => one.writer === at),
      ),
    ),
  );
  return decided
    .flat()
    .reduce<readonly Sum[]>(
      (may, lists) => may.flatMap((sum) => lists.map((list) => list.reduce(plus, sum))),
      [from],
    );
}

it("P12 SURF-29 traces have no gap while two processes write them on SQLite and are killed, streams are what is read, totals survive dropping", async () => {
  await fc.assert(
    fc.asyncProperty(
      fact,
      fc.array(step, { minLength: 3, maxLength: 12 }),
      async (first, steps) => {
        const owner = String((worlds += 1)).padStart(32, "0");
        const noted = { owner, fact: first, times: 1 };
        await writers[0]?.ask({ noted, write: true, dieAt: null });
        const stopping = new AbortController();
        const stream = await engine.watchTrace(LOCAL, owner, stopping.signal);
        const reader = follow(stream);
        const may = await write(owner, steps, plus(NOTHING, noted));
        const detail = await engine.trace(LOCAL, owner);
        const { seq: events, totals, dropped } = detail;
        const { calls, failed_calls, rows, ...others } = totals;
        const came = JSON.stringify({ calls, failed_calls, rows });
        const due = may.map((sum) => JSON.stringify(sum));
        assert(due.includes(came), `${came} is none of ${due.join(", ")}`);
        assert.equal(calls, events);
        assert(Object.values(others).every((count) => count === 0));
        const numbers = detail.events.map(({ n }) => n);
        assert.deepEqual(
          numbers,
          numbers.map((_, index) => dropped + 1 + index),
        );
        assert.equal(dropped + numbers.length, events);
        assert(numbers.length === events || numbers.length === KEPT);
        assert.deepEqual(await reader.at(events), detail);
        stopping.abort();
        await reader.ended;
      },
    ),
    // The same steps may go another way the next time: there is nothing to shrink.
    { numRuns: 5, endOnFailure: true },
  );
}, 120_000);
