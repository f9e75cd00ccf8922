import type { JsonObject, Plan } from "@plasm/core";
import { isMuchWork } from "@plasm/core/internal";
import type { BudgetUse, Cursor, RunOutcome } from "@plasm/runtime";
import type { BudgetMeta, RunMeta } from "../../answer/meta.ts";
import type { FinishedOutcome } from "../../outcome.ts";
import type { SnapshotSource } from "../../artifacts/snapshots.ts";
import { placeOf } from "../plan/commits.ts";
import type { Caller } from "../../identity/caller.ts";
import { effectsMeta } from "../../answer/effects.ts";
import type { ResolvedSession } from "../../session/locate.ts";
import type { Defects } from "./run-context.ts";
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
  readonly minted: { readonly ref: string };
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

function metaOf(answer: FinishedOutcome, { outcome, minted, plan }: FinishedRun): RunMeta {
  return {
    ...answer.meta,
    plan_commit_ref: minted.ref,
    effects: effectsMeta(outcome.effects),
    nodes: [...nodesMeta(outcome)],
    budget: usedBudget(outcome.budget, plan),
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
    before: 0,
    marksOf: (cursor: Cursor) => marksOf(cursor, plan, outcome, marks),
  };
  const { answer: delivered, effectLines } = await deliver(deps, delivery, entryIdsOf(plan));
  const meta = metaOf(delivered, run);
  const answer = { ...delivered, meta };
  if (failed) throw failedRun({ plan, outcome, inHand: answer, effectLines, defects, cause });
  const texts = [delivered.text, ...effectLines].filter((text) => text !== "");
  return { ...answer, text: texts.join("\n") };
}
