import type { JsonObject, Plan } from "@plasm/core";
import {
  runPlan,
  type EarlierAttempt,
  type EffectEntry,
  type ProgressEvent,
  type RunOutcome,
} from "@plasm/runtime";
import { classify } from "../errors/classify.ts";
import { Failure } from "../errors/failure.ts";
import { placeOf } from "../commit/place.ts";
import { problem, type Problem } from "../errors/problem.ts";
import type { Caller } from "../identity/caller.ts";
import { effectsMeta } from "../render-text/effects-meta.ts";
import { failedEffectLines } from "../render-text/effect-lines.ts";
import type { Located } from "../session/locate.ts";
import { answerRun } from "./answer-run.ts";
import { collectDefects } from "./defects.ts";
import type { EndedRun } from "./end-of-run.ts";
import type { LiveDeps } from "./live-deps.ts";
import { nameNodes } from "./name-nodes.ts";
import type { RunArguments } from "./run-arguments.ts";
import { runContext, type RunSetting } from "./run-context.ts";
import { openMarks } from "./run-marks.ts";
import { safeToRepeat } from "./safe-to-repeat.ts";
import { SHUTDOWN, stopCause } from "./stopped-run.ts";
import {
  isHeld,
  type OwnedRun,
  readEffects,
  storedEffectLog,
  type UnwrittenEnd,
} from "./stored-effect-log.ts";
import { undecidedRun } from "./undecided-run.ts";

/** A plan on its way to being run as an operation. */
export interface EffectRun {
  readonly caller: Caller;
  readonly at: Located;
  readonly plan: Plan;
  readonly minted: { readonly ref: string };
  readonly request: Pick<RunArguments, "complete" | "signal" | "onProgress">;
  readonly setting?: Pick<RunSetting, "limits" | "started" | "memory">;
  /** how long the run may be silent before others may claim it (OPS-31) */
  readonly leaseMs: number;
  /** how far an earlier attempt came (OPS-32) */
  readonly earlier?: EarlierAttempt | null;
  /** where this process stops before its end, another one goes on with it */
  readonly resumable?: boolean;
  readonly onProgress?: (event: ProgressEvent) => void;
}

/** The end of a run whose answer could not be made: what it did is told all the same (PLAN-072). */
async function untold(
  deps: LiveDeps,
  { plan, minted }: EffectRun,
  run: OwnedRun,
  thrown: unknown,
  outcome: RunOutcome | null,
): Promise<EndedRun> {
  const cause = classify(thrown, (defect) => deps.defect(defect));
  const logged = async (): Promise<readonly EffectEntry[]> => readEffects(deps.store, run);
  const effects = outcome?.effects ?? (await logged().catch(() => null));
  const facts = { dry_run: false, commit: plan.commit, plan_commit_ref: minted.ref };
  if (effects === null) return unknownEffects(cause, facts);
  const lineOf = (node: string): number | null => plan.summary.nodes[node]?.span.line ?? null;
  const text = [
    "failed: the answer could not be made",
    ...failedEffectLines(effects),
    cause.text,
    `fix: ${safeToRepeat(effects, lineOf)}`,
  ].join("\n");
  const told = problem(cause.code, text, {
    retryable: false,
    meta: { ...facts, effects: effectsMeta(effects) },
  });
  return { kind: "problem", problem: told };
}

/** The same where not even the log of effects can be read: nothing is said of them that may be wrong. */
function unknownEffects(cause: Problem, meta: JsonObject): EndedRun {
  const text = [
    "failed: the answer could not be made",
    "effects: unknown, their log cannot be read now",
    cause.text,
    "fix: look at what each effect was to change; repeat nothing before that",
  ].join("\n");
  return { kind: "problem", problem: problem(cause.code, text, { retryable: false, meta }) };
}

/** Whether others go on with a run: this process stops, or the run is its own no more (OPS-31). */
async function leftToOthers(
  deps: LiveDeps,
  { resumable = false, request }: EffectRun,
  run: OwnedRun,
  { stopped, status }: RunOutcome,
  lost: AbortSignal,
): Promise<boolean> {
  if (!resumable || status !== "failed") return false;
  // It stopped for that alone, though a late renewal may have come through since.
  if (lost.aborted) return true;
  if (stopped === "cancelled" && request.signal?.reason === SHUTDOWN) return true;
  return !(await isHeld(deps.store, run));
}

/** What an attempt came to. */
export interface AttemptEnd {
  readonly end: EndedRun;
  /** what is told instead where `end` cannot be kept; null where that may be told all the same */
  readonly undecided: EndedRun | null;
  /** ends of its effects that the store refused */
  readonly unwritten: readonly UnwrittenEnd[];
}

/**
 * Runs a plan to its end, whatever that is; every effect is in the end it gives. Null if this process
 * stops before that, and another one goes on. Never throws.
 */
export async function attemptRun(
  deps: LiveDeps,
  effectRun: EffectRun,
  run: OwnedRun,
  lost: AbortSignal,
): Promise<AttemptEnd | null> {
  const { caller, at, plan, minted, request, onProgress, setting = {} } = effectRun;
  let outcome: RunOutcome | null = null;
  const { leaseMs } = effectRun;
  const effectLog = storedEffectLog(deps.store, run, { holder: at.owner, leaseMs });
  const ended = (end: EndedRun): AttemptEnd => {
    const undecided = undecidedRun(plan, minted.ref, outcome?.effects ?? null);
    return { end, undecided, unwritten: effectLog.unwritten() };
  };
  try {
    const resumed = (await readEffects(deps.store, run)).length > 0;
    const { before } = await openMarks(deps.store, placeOf(caller, at), plan);
    const defects = collectDefects(deps);
    const signal = request.signal === undefined ? lost : AbortSignal.any([lost, request.signal]);
    const context = runContext(deps, caller, at, defects, {
      ...setting,
      signal,
      ...(onProgress === undefined ? {} : { onProgress }),
    });
    const { earlier = null } = effectRun;
    const resume = earlier === null ? {} : { earlier };
    outcome = await runPlan({ ...context, plan, effectLog, nameOf: nameNodes(plan), ...resume });
    if (await leftToOthers(deps, effectRun, run, outcome, lost)) return null;
    const isOwnStop = !lost.aborted && request.signal?.aborted === true;
    const cause = isOwnStop ? stopCause(request.signal) : "lease";
    const answer = await answerRun(deps, caller, at, {
      plan,
      outcome,
      id: context.runId,
      minted,
      request,
      defects,
      marks: { before, own: effectLog.marks(), resumed },
      cause,
    });
    return ended({ kind: "answer", answer });
  } catch (thrown) {
    if (thrown instanceof Failure && outcome !== null) {
      return ended({ kind: "problem", problem: thrown.problem });
    }
    return ended(await untold(deps, effectRun, run, thrown, outcome));
  }
}
