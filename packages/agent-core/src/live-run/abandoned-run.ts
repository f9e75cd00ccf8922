import type { Plan } from "@plasm/core";
import type { EffectEntry } from "@plasm/runtime";
import { problem, type Problem } from "../errors/problem.ts";
import { effectsMeta } from "../render-text/effects-meta.ts";
import { failedEffectLines } from "../render-text/effect-lines.ts";

function notStarted(plan: Plan, effects: readonly EffectEntry[]): readonly string[] {
  const reached = new Set(effects.map((entry) => entry.node));
  return plan.summary.effects
    .filter((effect) => !reached.has(effect.node))
    .map((effect) => {
      const target = effect.target === null ? "" : ` ${effect.target}`;
      return `not started ${effect.node} ${effect.capability}${target}`;
    });
}

/**
 * What is told of a run whose process died (PLAN-072, PLAN-073): effects done, those in doubt with
 * what to look at, those not started. Nothing of it is ever sent again.
 */
export function abandonedRun(plan: Plan, effects: readonly EffectEntry[]): Problem {
  const doubt = effects.some((entry) => entry.status === "in_doubt");
  const code = doubt ? "effect_in_doubt" : "internal";
  const message = "The process that ran this plan ended before the plan did.";
  const correction = doubt
    ? "look at the targets in doubt, then plan only what is missing; never the whole program again"
    : "plan only what was not started; never the whole program again";
  const text = [
    `failed: ${code}`,
    ...failedEffectLines(effects),
    ...notStarted(plan, effects),
    `error ${code}`,
    message,
    `fix: ${correction}`,
  ].join("\n");
  return problem(doubt ? "plasm-upstream-error" : "plasm-run-failed", text, {
    errors: [
      {
        code,
        message,
        span: null,
        snippet: null,
        correction,
        suggested_program: null,
        retryable: false,
      },
    ],
    meta: { effects: effectsMeta(effects) },
  });
}
