import { fail } from "../errors/problem.ts";
import type { Caller } from "../identity/caller.ts";
import { type ApprovalView, approvalsIn, clientDecisionsIn } from "../program/gate/approvals.ts";
import type { Store } from "../store-port.ts";

/** Who decides on a plan, as the audit log tells it, and why. */
export interface ApprovalDecision {
  /** the person who was asked: where policy leaves plans to operators, another than the session's own subject */
  readonly by: string;
  readonly reason?: string;
}

/**
 * Plans of a conversation's caller that wait for somebody, for the code around it to show to a person (SURF-56). It is no part of what a model can
 * call. A decision binds to the plan that it is given: one that became another meanwhile is not decided.
 */
export interface SessionApprovals {
  /** those that wait, the oldest first */
  list(): Promise<readonly ApprovalView[]>;
  /** Lets it run: `run({ commit: plan.plan_commit_ref })` does. Throws plasm-policy-denied, plasm-unknown-handle. */
  approve(plan: ApprovalView, decision: ApprovalDecision): Promise<void>;
  /** Lets it never run in this session. Throws as `approve`. */
  reject(plan: ApprovalView, decision: ApprovalDecision): Promise<void>;
}

const without = async (): Promise<never> => {
  throw fail(
    "plasm-bad-request",
    "This session was made without the store of its engine, and can decide nothing. Give createAgentSession the store.",
  );
};

/** Those of a caller, on the store of its engine. */
export function sessionApprovals(store: Store | null, caller: Caller): SessionApprovals {
  if (store === null) return { list: without, approve: without, reject: without };
  const operators = approvalsIn(store);
  const own = clientDecisionsIn(store);
  const decide = async (
    { commit_uuid: uuid, commit }: ApprovalView,
    verdict: "approved" | "rejected",
    { by, reason }: ApprovalDecision,
  ): Promise<void> => {
    const said = reason === undefined ? { commit } : { commit, reason };
    const asked = await own.find(caller, uuid);
    if (asked === null) {
      throw fail("plasm-unknown-handle", "No plan of this session's caller waits under that uuid.");
    }
    if (asked.byClient) await own.decide(caller, uuid, verdict, said);
    else await operators.decide({ scope: caller.scope, subject: by }, uuid, verdict, said);
  };
  return {
    list: async () => {
      const { scope, subject } = caller;
      const all = await operators.list({ scope, subject: subject ?? "" });
      const waiting = all.filter((plan) => plan.subject === subject);
      // One subject may be several principals: anonymous callers above all.
      const found = await Promise.all(waiting.map((plan) => own.find(caller, plan.commit_uuid)));
      return waiting.filter((_, index) => found[index] !== null);
    },
    approve: (plan, decision) => decide(plan, "approved", decision),
    reject: (plan, decision) => decide(plan, "rejected", decision),
  };
}
