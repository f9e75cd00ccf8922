import { indexLines, snippet, type JsonObject, type Plan } from "@plasm/core";
import type { NodeOutcome, RunError, RunOutcome } from "@plasm/runtime";
import { runProblemCode, runProblemError } from "../errors/classify.ts";
import { fail, type Failure } from "../errors/failure.ts";
import type { ProblemError } from "../errors/problem.ts";
import type { RunAnswer } from "../answer.ts";
import { failedEffectLines } from "../render-text/effect-lines.ts";

function placed(plan: Plan, error: RunError): ProblemError {
  const span = plan.summary.nodes[error.node]?.span;
  if (span === undefined) return runProblemError(error, null);
  const source = { text: plan.source, lines: indexLines(plan.source) };
  return runProblemError(error, { span, snippet: snippet(source, span) });
}

function errorText(error: ProblemError): string {
  const at = error.span === null ? "" : ` at ${error.span.line}:${error.span.column}`;
  const lines = [`error ${error.code}${at}`];
  if (error.snippet !== null) lines.push(error.snippet);
  lines.push(error.message, `fix: ${error.correction}`);
  return lines.join("\n");
}

const nodeMeta = (node: NodeOutcome): JsonObject => ({
  id: node.id,
  status: node.status,
  partial: node.partial,
  reason: node.reason,
  rows: node.rows,
});

export const nodesMeta = (outcome: RunOutcome): readonly JsonObject[] =>
  outcome.nodes.map(nodeMeta);

/**
 * The answer of a run that failed: node and code first, then every error, then the results in
 * hand (ERR-020, OPS-29). Its class is that of the first failed node (ERR-030).
 */
export function failedRun(plan: Plan, outcome: RunOutcome, inHand: RunAnswer): Failure {
  const failed = outcome.nodes.filter((node) => node.error !== null);
  const first = failed[0]?.error;
  if (first === undefined || first === null) {
    const stopped = outcome.stopped ?? "unknown";
    return fail("plasm-run-failed", `The run stopped: ${stopped}.`, {
      meta: { ...inHand.meta, nodes: [...nodesMeta(outcome)] },
    });
  }
  const errors = failed.flatMap((node) => (node.error === null ? [] : [placed(plan, node.error)]));
  const text = [
    `failed at ${first.node}: ${first.code}`,
    ...failedEffectLines(outcome.effects),
    errors.map(errorText).join("\n\n"),
    ...(inHand.results.length === 0 ? [] : [`results in hand:\n${inHand.text}`]),
  ].join("\n");
  return fail(runProblemCode(first.code), text, {
    errors,
    retryable: first.retryable,
    retryAfter: first.retryAfter,
    meta: { ...inHand.meta, nodes: [...nodesMeta(outcome)] },
  });
}
