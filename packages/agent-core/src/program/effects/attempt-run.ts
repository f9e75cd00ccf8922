import { whoUses } from "../../quotas/ledger.ts";
import type { JsonObject, Plan } from "@plasm/core";
import type { CommitRecord } from "../../records/commits.ts";
import {
  type EarlierAttempt,
  type EffectEntry,
  type ProgressEvent,
  type RunOutcome,
  runPlan,
} from "@plasm/runtime";
import { classify } from "../../errors/classify.ts";
import { Failure, problem, type Problem } from "../../errors/problem.ts";
import { placeOf } from "../plan/commits.ts";
import type { Caller } from "../../identity/caller.ts";
import { effectsMeta, failedEffectLines, undoOffer } from "../../answer/effects.ts";
import type { ResolvedSession } from "../../session/locate.ts";
import { answerRun } from "../run/answer-run.ts";
import { collectDefects, runContext, type RunSetting } from "../run/run-context.ts";
import type { EndedRun } from "../../outcome.ts";
import type { LiveDeps } from "../deps.ts";
import { nameNodes } from "../plan/plan-facts.ts";
import type { RunArguments } from "../run/run-request.ts";
import { openMarks } from "./effect-marks.ts";
import { safeToRepeat } from "../run/failure-text.ts";
import { SHUTDOWN, stopCause } from "../run/failed-run.ts";
import {
  isHeld,
  type OwnedRun,
  readEffects,
  storedEffectLog,
  type UnwrittenEnd,
} from "./effect-log.ts";

/** A plan on its way to being run as an operation. */
export interface EffectRun {
  readonly caller: Caller;
  readonly at: ResolvedSession;
  readonly plan: Plan;
  readonly minted: Pick<CommitRecord, "ref" | "accounts">;
  readonly request: Pick<RunArguments, "complete" | "signal" | "onProgress">;
  readonly setting?: Pick<RunSetting, "limits" | "started" | "memory" | "signIns">;
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
    ...undoOffer(minted.ref, effects),
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
  const { caller, plan, minted, request, onProgress, setting = {} } = effectRun;
  // Whatever accounts there are by now: it goes on as the one that it was planned for, or as none (RUN-129).
  const at = { ...effectRun.at, accounts: minted.accounts ?? {} };
  let outcome: RunOutcome | null = null;
  const { leaseMs } = effectRun;
  const { actingFor: acting_for = null, requestId: request_id = null } = caller;
  const audited = { acting_for, request_id };
  const { quotas } = at.view.exposure.policy;
  const effectLog = storedEffectLog(deps.store, run, {
    holder: at.owner,
    leaseMs,
    caller: audited,
    onStarted: (catalog) => {
      if (quotas !== undefined) deps.quotas.note(whoUses(caller), quotas, catalog, { effects: 1 });
    },
  });
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
      limits: context.limits,
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

/** Whether an effect was sent and is not known as done: no process sends anything of its run after that. */
const bars = ({ startedAt, status }: EffectEntry): boolean =>
  startedAt !== null && status !== "done";

/** What has not started may still start where nobody can be told that it must not. */
const mayYetHappen = (entry: EffectEntry): EffectEntry =>
  entry.status === "skipped" ? { ...entry, status: "in_doubt" } : entry;

/**
 * What is told of a run whose end the store refuses: another process may go on with it once its lease has
 * lapsed (OPS-31), so that what has not started is in doubt (PLAN-072, PLAN-073). Null where nothing is left
 * to go on with: then its end may be told. `effects` is null for a run that never began.
 */
function undecidedRun(
  plan: Plan,
  ref: string,
  effects: readonly EffectEntry[] | null,
): EndedRun | null {
  const left = effects === null || effects.some(({ status }) => status === "skipped");
  if (!left || (effects ?? []).some(bars)) return null;
  const told = (effects ?? []).map(mayYetHappen);
  const text = [
    "failed: how this run ended could not be kept",
    ...failedEffectLines(told),
    "The store cannot be written now. Another process may go on with this run.",
    `fix: send the same program with plan_commit_ref=${ref} until it tells how the run ended; before that plan none of it again`,
  ].join("\n");
  const meta = {
    dry_run: false,
    commit: plan.commit,
    plan_commit_ref: ref,
    effects: effectsMeta(told),
  };
  return {
    kind: "problem",
    problem: problem("plasm-store-unavailable", text, { retryable: false, meta }),
  };
}
