import { runPlan } from "@plasm/runtime";
import type { Plan } from "@plasm/core";
import type { RunAnswer } from "../answer.ts";
import { placeOf } from "../commit/place.ts";
import { classify } from "../errors/classify.ts";
import type { Caller } from "../identity/caller.ts";
import type { CommitRecord } from "../records/commit-record.ts";
import type { Located } from "../session/locate.ts";
import { answerRun } from "./answer-run.ts";
import type { EndedRun } from "./end-of-run.ts";
import { keepEnd, tell } from "./ended-run.ts";
import type { LiveDeps } from "./live-deps.ts";
import { repeatRun } from "./repeat-run.ts";
import { runContext } from "./run-context.ts";
import { underLease } from "./run-lease.ts";
import type { RunArguments } from "./run-arguments.ts";
import { runPlaceOf, startRun } from "./start-run.ts";
import { storedEffectLog, type RunPlace } from "./stored-effect-log.ts";

/** Runs to the end, whatever it is, and keeps that end before anybody is told (OPS-3, OPS-28). */
async function perform(
  deps: LiveDeps,
  caller: Caller,
  at: Located,
  plan: Plan,
  minted: CommitRecord,
  request: RunArguments,
  place: RunPlace,
): Promise<EndedRun> {
  const run = async (): Promise<EndedRun> => {
    try {
      const effectLog = storedEffectLog(deps.store, place);
      const context = runContext(deps, caller, at, request.signal);
      const outcome = await runPlan({ ...context, plan, effectLog });
      const answer = await answerRun(deps, caller, at, { plan, outcome, minted, request });
      return { kind: "answer", answer };
    } catch (thrown) {
      return { kind: "problem", problem: classify(thrown, (cause) => deps.defect(cause)) };
    }
  };
  const end = await underLease(deps, place, run);
  await keepEnd(deps, place, end);
  return end;
}

/**
 * Runs a plan that has effects: consumes its ref, writes each effect down before and after its
 * request, and keeps the answer (OPS-3, OPS-28, OPS-39). A ref taken meanwhile answers as a
 * repeated one.
 */
export async function runWithEffects(
  deps: LiveDeps,
  caller: Caller,
  at: Located,
  plan: Plan,
  minted: CommitRecord,
  request: RunArguments,
): Promise<RunAnswer> {
  const place = placeOf(caller, at);
  const run = runPlaceOf(place, minted.ref);
  if (!(await startRun(deps, place, minted, plan.source))) {
    return repeatRun(deps, run, minted.ref, plan);
  }
  const work = perform(deps, caller, at, plan, minted, request, run);
  deps.running.set(run.id, work);
  try {
    return tell(await work, null);
  } finally {
    deps.running.delete(run.id);
  }
}
