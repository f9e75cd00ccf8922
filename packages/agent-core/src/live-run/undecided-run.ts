import type { Plan } from "@plasm/core";
import type { EffectEntry } from "@plasm/runtime";
import { problem } from "../errors/problem.ts";
import { failedEffectLines } from "../render-text/effect-lines.ts";
import { effectsMeta } from "../render-text/effects-meta.ts";
import type { EndedRun } from "./end-of-run.ts";

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
export function undecidedRun(
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
