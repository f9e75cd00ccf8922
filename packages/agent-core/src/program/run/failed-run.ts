import type { Plan } from "@plasm/core";
import { errorSpan } from "@plasm/core/internal";
import type { NodeOutcome, RunOutcome } from "@plasm/runtime";
import type { NodeMeta } from "../../answer/meta.ts";
import type { FinishedOutcome } from "../../outcome.ts";
import { runProblemCode, type ReportedError } from "../../errors/classify.ts";
import { fail, type Failure, type ProblemError } from "../../errors/problem.ts";
import type { Defects } from "./run-context.ts";
import {
  advised,
  failedByItself,
  failureText,
  placedError,
  refusedAsSent,
  safeToRepeat,
} from "./failure-text.ts";

const nodeMeta = (node: NodeOutcome): NodeMeta => ({
  id: node.id,
  status: node.status,
  partial: node.partial,
  reason: node.reason,
  rows: node.rows,
});

export const nodesMeta = (outcome: RunOutcome): readonly NodeMeta[] => outcome.nodes.map(nodeMeta);

const isEffect = (plan: Plan, id: string): boolean =>
  plan.summary.effects.some(({ node }) => node === id);

/** `close (n4)` for an effect with a label, else `n4` (OPS-29). */
function nameOf(plan: Plan, id: string): string {
  const label = plan.summary.nodes[id]?.label ?? null;
  return label === null || !isEffect(plan, id) ? id : `${label} (${id})`;
}

function entryIdOf(plan: Plan, id: string): string | null {
  const node = plan.nodes.find((one) => one.id === id);
  if (node === undefined) return null;
  if ("catalog" in node) return node.catalog.entry_id;
  return node.kind === "for_each" ? node.body.catalog.entry_id : null;
}

/** `failed at close (n4): upstream_error 502 from tracker`. */
function headOf(plan: Plan, error: ReportedError): string {
  const { request } = error;
  const status = request === null || request.status === null ? "" : ` ${request.status}`;
  const entryId = request === null ? null : entryIdOf(plan, error.node);
  const from = entryId === null ? "" : ` from ${entryId}`;
  return `failed at ${nameOf(plan, error.node)}: ${error.code}${status}${from}`;
}

/** The errors of a run in plan order; of one that was stopped, what stopped it. */
function errorsOf(plan: Plan, outcome: RunOutcome, cause: StopCause): readonly ReportedError[] {
  const errors = outcome.nodes.flatMap(({ error }) => (error === null ? [] : [error]));
  return errors.length > 0 ? errors : [stoppedError(plan, outcome, cause)];
}

/** Whether an error is of an effect that may have happened all the same, as its correction says. */
function isOpen(plan: Plan, { code, node, request }: ReportedError): boolean {
  if (code === "effect_in_doubt") return true;
  return failedByItself(code, request?.status ?? null) && isEffect(plan, node);
}

/** Whether an error is of an effect that its API refused as it was sent. */
const isRefused = (plan: Plan, { code, node, request }: ReportedError): boolean =>
  refusedAsSent(code, request?.status ?? null) && isEffect(plan, node);

const performed = (outcome: RunOutcome): boolean =>
  outcome.effects.some(({ status }) => status !== "skipped" && status !== "failed");

/** A run that failed, with what its answer needs. */
export interface FailedRun {
  readonly plan: Plan;
  readonly outcome: RunOutcome;
  /** results so far, with the meta of a live run */
  readonly inHand: FinishedOutcome;
  /** its effects in words */
  readonly effectLines: readonly string[];
  readonly defects: Defects;
  readonly cause: StopCause;
}

/**
 * The answer of a run that failed: node and code first, then every effect, every error with what is
 * safe to repeat, and the results in hand (ERR-020, OPS-29). Its class is that of the first failed
 * node (ERR-030).
 */
export function failedRun(run: FailedRun): Failure {
  const { plan, outcome, inHand, effectLines, defects, cause } = run;
  const { nodes } = plan.summary;
  const all = errorsOf(plan, outcome, cause).map((error) => defects.identified(error));
  const [first] = all;
  if (first === undefined) throw new Error("a failed run has an error");
  const lineOf = (node: string): number | null => nodes[node]?.span.line ?? null;
  const advice =
    plan.summary.effects.length === 0
      ? null
      : safeToRepeat(outcome.effects, lineOf, isOpen(plan, first), isRefused(plan, first));
  const errors = all.map((error, index): ProblemError => {
    const span = errorSpan(plan, error.node, error.within ?? null);
    const shown = placedError(plan.source, span, error);
    return index === 0 ? advised(shown, advice) : shown;
  });
  const results = inHand.text === "" ? null : inHand.text;
  const text = failureText(headOf(plan, first), effectLines, errors, results);
  const ofStore = first.code === "internal" && defects.ofStore();
  const code = ofStore ? "plasm-store-unavailable" : runProblemCode(first.code);
  return fail(code, text, {
    errors,
    retryable: (ofStore || first.retryable) && !performed(outcome),
    retryAfter: first.retryAfter,
    meta: inHand.meta,
    results: inHand.results,
  });
}

/** Who ended a run that did not end by itself: its caller, a stopping server, or a lost lease. */
export type StopCause = "caller" | "shutdown" | "lease";

const CANCELLED: Readonly<Record<StopCause, string>> = {
  caller: "Its caller cancelled the run before its end.",
  shutdown: "The server was stopped before the run had ended.",
  lease: "The run was held up for so long that another process may have taken it over.",
};

/** The reason a stopping server gives to the runs it ends. */
export const SHUTDOWN = Symbol("the server is stopped");

/** Who ended a run by its signal. */
export const stopCause = (signal: AbortSignal | undefined): StopCause =>
  signal?.reason === SHUTDOWN ? "shutdown" : "caller";

/** The first effect that did not come to its end, else the first node that did not, else the last effect. */
function stoppedNode(plan: Plan, outcome: RunOutcome): string {
  const open = outcome.nodes.filter(({ status }) => status !== "done").map(({ id }) => id);
  const effects = plan.summary.effects.map(({ node }) => node);
  const cut = open.find((id) => effects.includes(id)) ?? open[0];
  return cut ?? effects.at(-1) ?? plan.topological_order.at(-1) ?? "";
}

/** What a run that was cut off, not failed, is said to have failed of (OPS-11, OPS-30). */
function stoppedError(plan: Plan, outcome: RunOutcome, cause: StopCause): ReportedError {
  const { stopped } = outcome;
  const node = stoppedNode(plan, outcome);
  const common = {
    node,
    row: null,
    retryable: false,
    retryAfter: null,
    request: null,
  };
  if (stopped === null) {
    const reason = outcome.nodes.find(({ id }) => id === node)?.reason ?? "its input is not whole";
    const correction = "bound what it needs with .limit(n) or a narrower condition";
    return {
      code: "partial_source",
      message: `${node} did not run: ${reason}.`,
      correction,
      ...common,
    };
  }
  if (stopped === "cancelled") {
    const correction = "plan what is missing, and run that";
    return { code: "cancelled", message: CANCELLED[cause], correction, ...common };
  }
  const limit = plan.summary.budgets[stopped];
  return {
    code: "budget_exceeded",
    message: `The budget ${stopped} (${limit}) was spent before every effect was performed.`,
    correction: `bound what the effects need with .limit(n) or a narrower condition, or raise the setting ${stopped}`,
    ...common,
  };
}
