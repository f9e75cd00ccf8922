import type { JsonObject, Plan, ReadBudget } from "@plasm/core";
import type { CommitRecord } from "../../records/commits.ts";
import { accountLines } from "../../session/accounts.ts";
import { isMuchWork } from "@plasm/core/internal";
import type { BudgetUse, Cursor, Limits, RunOutcome } from "@plasm/runtime";
import type { BudgetMeta, RunMeta } from "../../answer/meta.ts";
import type { FinishedOutcome } from "../../outcome.ts";
import type { SnapshotSource } from "../../artifacts/snapshots.ts";
import { placeOf } from "../plan/commits.ts";
import type { Caller } from "../../identity/caller.ts";
import { effectsMeta, undoOffer } from "../../answer/effects.ts";
import { unshownEffects } from "../../answer/results.ts";
import type { ResolvedSession } from "../../session/locate.ts";
import { type Defects, limitsOf } from "./run-context.ts";
import { deliver } from "./deliver.ts";
import { entryIdsOf, usedCapabilities } from "../plan/plan-facts.ts";
import { failedRun, nodesMeta, type StopCause } from "./failed-run.ts";
import type { LiveDeps } from "../deps.ts";
import { marksOf, type RunMarks } from "../effects/effect-marks.ts";

/** A run that has ended, and for whom. */
export interface FinishedRun {
  readonly plan: Plan;
  readonly outcome: RunOutcome;
  /** its id (PLAN-063) */
  readonly id: string;
  readonly minted: Pick<CommitRecord, "ref" | "accounts">;
  /** the budgets that it ran under */
  readonly limits: Limits;
  readonly request: { readonly complete?: boolean };
  readonly defects: Defects;
  readonly marks: RunMarks;
  /** what a cancel, if there was one, came from */
  readonly cause: StopCause;
}

const statsOf = (outcome: RunOutcome): JsonObject => ({
  requests: outcome.budget.requests,
  rows: outcome.budget.rows,
});

function sourceOf(outcome: RunOutcome): SnapshotSource {
  if (outcome.status !== "failed") return "live";
  return outcome.stopped === "cancelled" ? "cancel" : "failure";
}

/** What a run used of its budgets; of its work where that is worth a thought, as in a bill (PLAN-053). */
export function usedBudget({ work, ...used }: BudgetUse, { summary }: Plan): BudgetMeta {
  return isMuchWork(work, summary.budgets) ? { ...used, work } : used;
}

/** What cut a run short that had less to spend than the session's runs have; null where nothing did (PLAN-054). */
function stopOf(full: Limits, { plan, outcome, limits }: FinishedRun): Stop | null {
  if (plan.summary.stops_at === undefined) return null;
  const { nodes, results } = outcome;
  const reasons = [outcome.stopped, ...[...nodes, ...results].map(({ partial }) => partial)];
  const stopped = READ_BUDGETS.find((name) => limits[name] < full[name] && reasons.includes(name));
  if (stopped === undefined) return null;
  return { stopped, at: { requests: limits.requests, rows: limits.rows } };
}

const READ_BUDGETS = ["requests", "rows"] as const satisfies readonly (keyof ReadBudget)[];

interface Stop {
  readonly stopped: keyof ReadBudget;
  readonly at: ReadBudget;
}

/** What reads all that a run was cut from, in one line (PLAN-054). */
function stopLine({ stopped, at }: Stop, ref: string): string {
  const most = at[stopped].toLocaleString("en-US");
  return `stopped at ${most} ${stopped}; plan_commit_ref=${ref} reads under the full budgets`;
}

function metaOf(
  answer: FinishedOutcome,
  { outcome, minted, plan }: FinishedRun,
  stop: Stop | null,
): RunMeta {
  return {
    ...answer.meta,
    plan_commit_ref: minted.ref,
    effects: effectsMeta(outcome.effects),
    nodes: [...nodesMeta(outcome)],
    budget: usedBudget(outcome.budget, plan),
    ...(stop === null ? {} : { stopped_at: stop.at }),
    diagnostics: outcome.diagnostics.map((one): JsonObject => ({ ...one })),
  };
}

/**
 * Makes the answer of a run: results, then one line an effect, within the budget (SURF-9, SURF-11, SURF-15).
 * Throws Failure for a failed run, with everything it did (PLAN-072).
 */
export async function answerRun(
  deps: LiveDeps,
  caller: Caller,
  at: ResolvedSession,
  run: FinishedRun,
): Promise<FinishedOutcome> {
  const { plan, outcome, request, defects, marks, cause } = run;
  const failed = outcome.status === "failed";
  await deps.drift.note(caller.scope, plan, outcome);
  const delivery = {
    place: placeOf(caller, at),
    ref: at.ref,
    program: plan.source,
    commit: plan.commit,
    uses: usedCapabilities(plan, at.view.exposure.catalogs),
    run: { id: run.id, ref: run.minted.ref },
    source: sourceOf(outcome),
    results: outcome.results,
    effects: { entries: outcome.effects, failed },
    stats: statsOf(outcome),
    complete: request.complete ?? false,
    exposure: at.view.exposure,
    before: 0,
    marksOf: (cursor: Cursor) => marksOf(cursor, plan, outcome, marks),
  };
  const { answer: delivered, effectLines: done } = await deliver(deps, delivery, entryIdsOf(plan));
  const effectLines = [...done, ...unshownEffects(outcome.diagnostics, outcome.results)];
  const stop = stopOf(limitsOf(deps, at), run);
  const meta = metaOf(delivered, run, stop);
  const answer = { ...delivered, meta };
  if (failed) {
    const lines = [...effectLines, ...undoOffer(run.minted.ref, outcome.effects)];
    throw failedRun({ plan, outcome, inHand: answer, effectLines: lines, defects, cause });
  }
  const stopped = stop === null ? [] : [stopLine(stop, run.minted.ref)];
  // Only what has changed something says as whom: rows are the same whoever reads them.
  const as = outcome.effects.length === 0 ? [] : accountLines(run.minted.accounts);
  const texts = [delivered.text, ...effectLines, ...as, ...stopped].filter((text) => text !== "");
  return { ...answer, text: texts.join("\n") };
}
