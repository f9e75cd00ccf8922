import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Engine, Problem, ProblemError } from "@plasm/agent-core";
import { startSampleApis, type SampleApis } from "@plasm/sample-apis";
import { servedProperty } from "@plasm/testkit";
import fc from "fast-check";
import { caller } from "../engine-under-test.ts";
import { openEngine } from "../open-engine.ts";
import { quayProgram } from "./quay-program.ts";

/** What a run may end in for the rows it met (errors specification, sections 4 and 5: run, by data). */
const BY_DATA = new Set([
  ..."singleton_count no_row null_value not_found identity_missing partial_source precondition_failed".split(
    " ",
  ),
  ..."budget_exceeded template_failed".split(" "),
]);

/** Effects change the data; so often it is put back, and a session left for another. */
const RUNS_A_SESSION = 100;

interface World {
  readonly dir: string;
  readonly apis: SampleApis;
  readonly engine: Engine;
  runs: number;
  ref: string;
  /** how many programs had no plan */
  refused: number;
}

async function start(): Promise<World> {
  const dir = mkdtempSync(join(tmpdir(), "plasm-static-"));
  const apis = await startSampleApis({
    dataDir: join(dir, "apis"),
    ports: { quay: 0, yard: 0 },
    keepRequests: 0,
  });
  const engine = await openEngine({
    dataDir: join(dir, "data"),
    backends: new Map([
      ["quay", apis.quay.url],
      ["yard", apis.yard.url],
    ]),
  });
  return { dir, apis, engine, runs: 0, ref: "", refused: 0 };
}

async function end({ dir, apis, engine, runs, refused }: World): Promise<void> {
  await engine.close();
  await apis.close();
  rmSync(dir, { recursive: true, force: true });
  // Of programs that are refused nothing is learnt.
  assert(refused <= runs / 2, `${refused} of ${runs} programs had no plan`);
}

const ENTITIES = ["Boat", "Person", "Visit", "Log", "Paper", "Office", "Digest", "Stats"];

async function freshSession(world: World): Promise<void> {
  await world.apis.reset();
  const seeds = ENTITIES.map((entity) => ({ api: "quay", entity }));
  const intent = `static reasons ${world.runs}`;
  const { meta } = await world.engine.context(caller(), { intent, seeds });
  world.ref = String(meta["logical_session_ref"] as string);
}

type Ended<Value> = { readonly value: Value } | { readonly problem: Problem };

async function ended<Value>(engine: Engine, call: Promise<Value>): Promise<Ended<Value>> {
  try {
    return { value: await call };
  } catch (thrown) {
    return { problem: engine.problemOf(thrown) };
  }
}

/** Plans the program, runs it by its commit if it has a plan, and judges how the run ended. */
async function check(world: World, program: string): Promise<void> {
  const { engine } = world;
  if (world.runs % RUNS_A_SESSION === 0) await freshSession(world);
  world.runs += 1;
  const address = { kind: "ref", ref: world.ref } as const;
  const planned = await ended(engine, engine.plan(caller(), address, program));
  if ("problem" in planned) {
    assert.equal(planned.problem.code, "plasm-program-invalid", planned.problem.text);
    return void (world.refused += 1);
  }
  const planCommitRef = String(planned.value.meta["plan_commit_ref"] as string);
  const run = await ended(
    engine,
    engine.run(caller(), address, { program, planCommitRef, wait: true }),
  );
  if (!("problem" in run)) return;
  const [error] = run.problem.errors;
  assert(error !== undefined, run.problem.text);
  assert(isByData(error, program), `${program}\n${run.problem.text}`);
}

/** A key may be unknown to a list as to a get, and a cell that fills a slot of the wrong kind or none (PLAN-064). */
function isByData({ code, request }: ProblemError, program: string): boolean {
  const takesCells = /[_a]\./.test(program);
  // The API, too, may refuse what it is given: a name that is null, be it a cell's or written.
  const mayHoldNull = takesCells || /=\s*null/.test(program);
  if (code === "upstream_error")
    return request?.status === 404 || (request?.status === 422 && mayHoldNull);
  return BY_DATA.has(code) || (code === "argument_invalid" && takesCells);
}

export const noStaticReason = servedProperty({
  key: "P26-runs",
  says: "a program whose dry run is a plan ends, when run, well or by its data, never for a static reason",
  runs: 150,
  start,
  end,
  holds: (world) => fc.asyncProperty(quayProgram, (program) => check(world, program)),
});

export const properties = [noStaticReason];
