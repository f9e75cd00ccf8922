import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Engine } from "@plasm/agent-core";
import type { JsonObject } from "@plasm/core";
import { fixtureCatalogDir, servedProperty } from "@plasm/testkit";
import fc from "fast-check";
import { caller } from "../engine-under-test.ts";
import { openEngine } from "../open-engine.ts";
import { effectSteps, programOf, type Step } from "./effect-program.ts";
import { FAULTS, FINE } from "./fault.ts";
import { impatientPorts } from "./impatient-ports.ts";
import { writeNursery } from "./keyed-catalog.ts";
import { type Behaviour, type OrchardApi, startOrchard } from "./orchard-api.ts";
import { reportedIn } from "./reported.ts";

/** The second has idempotency keys, so that what is in doubt may be sent again (RUN-025). */
const CATALOGS = ["orchard", "nursery"] as const;

interface World {
  readonly dir: string;
  readonly api: OrchardApi;
  readonly engine: Engine;
}

async function start(): Promise<World> {
  const dir = mkdtempSync(join(tmpdir(), "plasm-performed-"));
  const api = await startOrchard();
  const engine = await openEngine({
    dataDir: join(dir, "data"),
    catalogs: [fixtureCatalogDir("orchard"), writeNursery(dir)],
    backends: new Map(CATALOGS.map((entryId) => [entryId, api.url])),
    ports: impatientPorts(),
  });
  return { dir, api, engine };
}

async function end({ dir, api, engine }: World): Promise<void> {
  await engine.close();
  await api.close();
  rmSync(dir, { recursive: true, force: true });
}

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

async function sessionOn(engine: Engine, entryId: string): Promise<string> {
  const request = { intent: entryId, seeds: [{ api: entryId, entity: "Tree" }] };
  const { meta } = await engine.context(caller(), request);
  return String(meta["logical_session_ref"] as string);
}

async function told(
  engine: Engine,
  ref: string,
  program: string,
  planCommitRef: string,
  signal?: AbortSignal,
): Promise<Told> {
  const waits = { program, planCommitRef, wait: true };
  const request = { ...waits, ...(signal === undefined ? {} : { signal }) };
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

const allOf = (names: readonly string[], ...others: readonly (readonly string[])[]): boolean =>
  names.every((name) => others.some((each) => each.includes(name)));

async function check({ api, engine }: World, drawn: Script): Promise<void> {
  const { api: entryId, steps, faults, listsFail, cancelAt } = drawn;
  const ref = await sessionOn(engine, entryId);
  const program = programOf(steps);
  const planned = await engine.plan(caller(), { kind: "ref", ref }, program);
  const commit = planned.meta["plan_commit_ref"] as string;
  const cancel = new AbortController();
  const onWrite = (number: number): void => {
    if (number === cancelAt) cancel.abort();
  };
  api.behave({ faults, listsFail, onWrite });
  const { text, meta } = await told(engine, ref, program, commit, cancel.signal);
  const { done, doubtful, rows, states, lines } = reportedIn(text, meta);
  const { performed, arrived } = api;

  // Nothing is done twice; what is done was performed, and what was performed is done or in doubt.
  assert.equal(new Set(performed).size, performed.length);
  assert(allOf(done, performed), text);
  assert(allOf(performed, done, doubtful), text);
  // Text and data tell the same, of every statement, and nothing starts after a failure (PLAN-071).
  assert.deepEqual(lines, states, text);
  const expected = steps.map(({ perRow }, at) => rowsOf(perRow, rows[at]));
  assert.deepEqual(rows, expected, text);
  const first = states.findIndex((state) => state !== "done");
  const later = first < 0 ? [] : states.slice(first + 1);
  assert(later.every((state) => state === "not started"));
  // The same ref again tells the same and sends nothing (OPS-3).
  const again = await told(engine, ref, program, commit);
  assert.equal(withoutNote(again.text), text);
  assert.deepEqual([api.performed, api.arrived], [performed, arrived]);
}

export const performedIsReported = servedProperty({
  key: "P27-answers",
  says: "performed effects are reported effects in text and data of the answers, whatever the API and its caller do",
  runs: 150,
  start,
  end,
  holds: (world) => fc.asyncProperty(script, (drawn) => check(world, drawn)),
});

export const properties = [performedIsReported];
