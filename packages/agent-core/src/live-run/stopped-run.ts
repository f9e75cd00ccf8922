import type { Plan } from "@plasm/core";
import type { RunOutcome } from "@plasm/runtime";
import type { ToldError } from "../errors/told-error.ts";

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
export function stoppedError(plan: Plan, outcome: RunOutcome, cause: StopCause): ToldError {
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
