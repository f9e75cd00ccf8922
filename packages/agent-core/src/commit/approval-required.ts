import { renderReasons, type Plan } from "@plasm/core";
import { fail, type Failure } from "../errors/failure.ts";
import type { CommitRecord } from "../records/commit-record.ts";
import { reviewMeta } from "./plan-meta.ts";

const pathOf = (uuid: string): string => `/v1/approvals/${uuid}`;

/** What its state is, and what to do about it: of who asks nothing but to wait and send it again. */
function stateLines({ ref, state, uuid }: CommitRecord): readonly [string, readonly string[]] {
  if (state === "approved") {
    return ["an operator has approved it", [`Run it with plan_commit_ref=${ref}, without force`]];
  }
  return [
    "an operator must approve it",
    [
      `It waits for an operator, who decides by: plasm approvals approve ${uuid}`,
      `(or reject), or POST ${pathOf(uuid)}/approve. Then run it with plan_commit_ref=${ref}`,
    ],
  ];
}

/** The answer of a plan that an operator has rejected in this session (OPS-36). */
export const approvalRejected = (): Failure =>
  fail(
    "plasm-policy-denied",
    "Not run: an operator has rejected this plan in this session, and that is final. Change the program, or ask the operator.",
    { meta: { error: { code: "plasm-policy-denied", state: "rejected" } } },
  );

/**
 * The answer of a plan that only an operator can let run: its ref, how that stands, and where an operator
 * approves it (OPS-36).
 */
export function approvalRequired(plan: Plan, record: CommitRecord): Failure {
  if (record.state === "rejected") return approvalRejected();
  const [why, lines] = stateLines(record);
  const code = "plasm-approval-required";
  const { ref, state, uuid } = record;
  const text = [`review ${ref}: not run (${why})`, ...renderReasons(plan, ref), ...lines].join(
    "\n",
  );
  return fail(code, text, {
    meta: {
      error: { code, state },
      approval: { commit_uuid: uuid, state, path: pathOf(uuid) },
      ...reviewMeta(plan, record),
    },
  });
}
