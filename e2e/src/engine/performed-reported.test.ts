import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Engine } from "@plasm/agent-core";
import type { JsonObject } from "@plasm/core";
import { fixtureCatalogDir } from "@plasm/testkit";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { propertyRuns } from "../harness/property-runs.ts";
import { caller } from "./engine-under-test.ts";
import { openEngine } from "./open-engine.ts";
import { effectSteps, programOf, type Step } from "./performed/effect-program.ts";
import { FAULTS, FINE } from "./performed/fault.ts";
import { impatientPorts } from "./performed/impatient-ports.ts";
import { writeNursery } from "./performed/keyed-catalog.ts";
import { type Behaviour, type OrchardApi, startOrchard } from "./performed/orchard-api.ts";
import { reportedIn } from "./performed/reported.ts";

const RUNS = propertyRuns(150);

/** The second has idempotency keys, so that what is in doubt may be sent again (RUN-025). */
const CATALOGS = ["orchard", "nursery"] as const;

let dir: string;
let api: OrchardApi;
let engine: Engine;

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), "plasm-performed-"));
  api = await startOrchard();
  engine = await openEngine({
    dataDir: join(dir, "data"),
    catalogs: [fixtureCatalogDir("orchard"), writeNursery(dir)],
    backends: new Map(CATALOGS.map((entryId) => [entryId, api.url])),
    ports: impatientPorts(),
  });
});
afterAll(async () => {
  await engine.close();
  await api.close();
  rmSync(dir, { recursive: true, force: true });
});

interface Told {
  readonly text: string;
  readonly meta: JsonObject;
}

interface Script {
  readonly api: (typeof CATALOGS)[number];
  readonly steps: readonly Step[];
  readonly faults: Behaviour["faults"];
  readonly listsFail: boolean;
  /** the number of the write at whose arrival the caller cancels */
  readonly cancelAt: number | null;
}

/** Most writes are fine: otherwise nothing would happen behind the first. */
const fault = fc.oneof(
  { weight: 3, arbitrary: fc.constant(FINE) },
  { weight: 1, arbitrary: fc.constantFrom(...FAULTS) },
);

const script: fc.Arbitrary<Script> = fc.record({
  api: fc.constantFrom(...CATALOGS),
  steps: effectSteps,
  faults: fc.array(fault, { maxLength: 10 }),
  listsFail: fc.oneof(
    { weight: 9, arbitrary: fc.constant(false) },
    { weight: 1, arbitrary: fc.constant(true) },
  ),
  cancelAt: fc.option(fc.integer({ min: 1, max: 6 }), { freq: 8 }),
});

async function sessionOn(entryId: string): Promise<string> {
  const request = { intent: entryId, seeds: [{ api: entryId, entity: "Tree" }] };
  const { meta } = await engine.context(caller(), request);
  return String(meta["logical_session_ref"] as string);
}

async function told(
  ref: string,
  program: string,
  planCommitRef: string,
  signal?: AbortSignal,
): Promise<Told> {
  const request = { program, planCommitRef, ...(signal === undefined ? {} : { signal }) };
  try {
    return await engine.run(caller(), { kind: "ref", ref }, request);
  } catch (thrown) {
    return engine.problemOf(thrown);
  }
}

/** The rows to be told of a statement: all three, or none in particular where they were never read. */
const rowsOf = (perRow: boolean, told: readonly (number | null)[] | undefined) =>
  perRow && told?.[0] !== null ? [0, 1, 2] : [null];

const withoutNote = (text: string): string => text.replace(/\nnote: .*$/, "");

async function check({ api: entryId, steps, faults, listsFail, cancelAt }: Script): Promise<void> {
  const ref = await sessionOn(entryId);
  const program = programOf(steps);
  const planned = await engine.plan(caller(), { kind: "ref", ref }, program);
  const commit = planned.meta["plan_commit_ref"] as string;
  const cancel = new AbortController();
  const onWrite = (number: number): void => {
    if (number === cancelAt) cancel.abort();
  };
  api.behave({ faults, listsFail, onWrite });
  const { text, meta } = await told(ref, program, commit, cancel.signal);
  const { done, doubtful, rows, states, lines } = reportedIn(text, meta);
  const { performed, arrived } = api;

  // Nothing is done twice; what is done was performed, and what was performed is done or in doubt.
  expect(new Set(performed).size).toBe(performed.length);
  expect(done.filter((name) => !performed.includes(name))).toEqual([]);
  expect(performed.filter((name) => !done.includes(name) && !doubtful.includes(name))).toEqual([]);
  // Text and data tell the same, of every statement, and nothing starts after a failure (PLAN-071).
  expect(lines, text).toEqual(states);
  expect(rows, text).toEqual(steps.map(({ perRow }, at) => rowsOf(perRow, rows[at])));
  const first = states.findIndex((state) => state !== "done");
  const later = first < 0 ? [] : states.slice(first + 1);
  expect(later.filter((state) => state !== "not started")).toEqual([]);
  // The same ref again tells the same and sends nothing (OPS-3).
  const again = await told(ref, program, commit);
  expect(withoutNote(again.text)).toBe(text);
  expect([api.performed, api.arrived]).toEqual([performed, arrived]);
}

test(
  "P27 PLAN-072 G1 performed effects are reported effects, whatever the API and its caller do",
  async () => {
    await fc.assert(fc.asyncProperty(script, check), { numRuns: RUNS });
  },
  60_000 + RUNS * 200,
);
