import type { DryRunMeta } from "../../answer/meta.ts";
import { type Plan, type PlanMeta, planMeta, renderReasons } from "@plasm/core";
import { fail, type Failure } from "../../errors/problem.ts";
import type { CommitRecord } from "../../records/commits.ts";
import type { Asking } from "./ask-operator.ts";
import type { BlockReason } from "./gate.ts";
import { accountLines } from "../../session/accounts.ts";
import { isoSeconds } from "../../answer/times.ts";

const pathOf = (uuid: string): string => `/v1/approvals/${uuid}`;

/** What its state is, and what to do about it: of who asks nothing but to wait and send it again. */
function stateLines(
  { ref, state, uuid, approvedBy }: CommitRecord,
  byClient: boolean,
): readonly [string, readonly string[]] {
  if (state === "approved") {
    const who = approvedBy === "client" ? "the person at the client" : "an operator";
    return [`${who} has approved it`, [`Run it with plan_commit_ref=${ref}, without force`]];
  }
  // Whether that person was asked, their client alone knows: many ask nobody.
  const also = byClient ? "the person at a client that asks by forms, or " : "";
  return [
    byClient ? "somebody must approve it" : "an operator must approve it",
    [
      `It waits for ${also}an operator, who decides by: plasm approvals approve ${uuid}`,
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
 * The answer of a plan that only an operator can let run, or the person at the client, too: its ref, how that stands, and where an
 * operator approves it (OPS-36, OPS-65).
 */
export function approvalRequired(
  plan: Plan,
  record: CommitRecord,
  { byClient, drifted }: Pick<Asking, "byClient" | "drifted">,
): Failure {
  if (record.state === "rejected") return approvalRejected();
  const [why, lines] = stateLines(record, byClient);
  const code = "plasm-approval-required";
  const { ref, state, uuid } = record;
  const text = [
    `review ${ref}: not run (${why})`,
    ...renderReasons(plan, ref),
    ...accountLines(record.accounts),
    ...drifted,
    ...lines,
  ].join("\n");
  return fail(code, text, {
    meta: {
      error: { code, state },
      approval: { commit_uuid: uuid, state, path: pathOf(uuid) },
      ...reviewMeta(plan, record),
    },
  });
}

const bracket = (reason: BlockReason, ref: string | null): string => {
  switch (reason) {
    case "none":
      return "no ref";
    case "unknown":
      return `unknown ref ${ref}`;
    case "expired":
      return `expired ref ${ref}`;
    case "mismatch":
      return `${ref} is of another program`;
  }
};

/** The answer of a plan that the gate held back: a live ref and how to use it (OPS-10). */
export function blockedFailure(
  plan: Plan,
  fresh: CommitRecord,
  reason: BlockReason,
  ref: string | null,
  reasonLines: readonly string[],
): Failure {
  const text = [
    `review ${fresh.ref}: not run (${bracket(reason, ref)})`,
    ...reasonLines,
    `Run again with plan_commit_ref=${fresh.ref}`,
  ].join("\n");
  return fail("plasm-review-required", text, {
    meta: { error: { code: "plasm-review-required", reason }, ...reviewMeta(plan, fresh) },
  });
}

/**
 * The same of a ref that came without a program, where there is none, or none that is the plan any more:
 * nothing is minted, for nobody has seen what it would run (OPS-7).
 */
export function blockedAlone(
  reason: "unknown" | "mismatch",
  ref: string,
  why = reason === "unknown"
    ? bracket(reason, ref)
    : `the program of ${ref} is another plan by now`,
): Failure {
  const text = `not run (${why})\nPlan the program, and run the ref of that plan`;
  const code = "plasm-review-required";
  return fail(code, text, { meta: { error: { code, reason } } });
}

/** A plan's meta is plain JSON data by construction; its interfaces lack the index signature. */
const asJson = (meta: PlanMeta): DryRunMeta => meta as unknown as DryRunMeta;

/** `_meta.plasm` of a dry run (PLAN-041, SURF-8). */
export const dryRunMeta = (plan: Plan, minted: CommitRecord): DryRunMeta =>
  asJson(planMeta(plan, minted.ref, isoSeconds(minted.expiresAt)));

/** Ref, verdict and reasons alone: what a blocked run's answer carries (OPS-10). */
function reviewMeta(
  plan: Plan,
  minted: CommitRecord,
): Pick<DryRunMeta, "plan_commit_ref" | "plan_commit_expires_at" | "dry_verdict" | "dry_review"> {
  const meta = dryRunMeta(plan, minted);
  const { plan_commit_ref, plan_commit_expires_at, dry_verdict, dry_review } = meta;
  return { plan_commit_ref, plan_commit_expires_at, dry_verdict, dry_review };
}
