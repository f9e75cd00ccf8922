import type { JsonObject } from "@plasm/core";
import { fail } from "../errors/failure.ts";
import { named } from "../errors/named.ts";
import { isSameName, principalOfOperator, type Operator } from "../identity/operator.ts";
import type { Store, StoreOps } from "../ports.ts";
import type { Decision } from "../records/approval-record.ts";
import type { CommitRecord } from "../records/commit-record.ts";
import { noteRejection } from "./ask-operator.ts";
import { COMMIT_LIFETIME_MS } from "./mint.ts";
import { isoTime } from "./plan-meta.ts";
import { askedPlan, waitingId, waitingPlans, type WaitingPlan } from "./waiting.ts";

/** What an operator decides on a plan that waits (OPS-36). */
export type Verdict = Decision["verdict"];

/**
 * What operators do with plans that wait (OPS-36). No engine has these: what serves a model is never
 * given them.
 */
export interface Approvals {
  /** the plans of the operator's tenant that wait, oldest first */
  list(operator: Operator): Promise<readonly JsonObject[]>;
  /**
   * Approves or rejects one by the uuid of its commit, and tells how it stands then. Throws
   * plasm-unknown-handle, plasm-policy-denied, plasm-commit-used.
   */
  decide(operator: Operator, uuid: string, verdict: Verdict): Promise<JsonObject>;
}

/** How a plan that was put before operators stands, as it is shown to them. */
function shown({ approval, commit }: WaitingPlan): JsonObject {
  const { value: asked } = approval;
  const { decision } = asked;
  return {
    commit_uuid: asked.uuid,
    state: commit.value.state,
    commit: asked.commit,
    plan_commit_ref: asked.ref,
    subject: asked.subject,
    acting_for: asked.actingFor ?? null,
    intent: asked.intent,
    requested_at: isoTime(asked.requestedAt),
    expires_at: isoTime(commit.value.expiresAt),
    program: asked.program,
    plan: asked.plan,
    effects: asked.effects,
    decided_by: decision?.by ?? null,
    decided_at: decision === null ? null : isoTime(decision.at),
  };
}

const unknown = (uuid: string) =>
  fail("plasm-unknown-handle", `No plan ${named(uuid)} waits for an operator.`);

/** How a decision changes a ref; null if it was made before. Throws where none can be made any more. */
function decided(
  { approval, commit }: WaitingPlan,
  verdict: Verdict,
  now: number,
): CommitRecord | null {
  const { value: record } = commit;
  const { ref, state, expiresAt } = record;
  const over = expiresAt <= now;
  switch (state) {
    case "consumed":
      throw fail("plasm-commit-used", `${ref} has run already; nothing is left to decide.`);
    case "rejected": {
      if (verdict === "rejected") return null;
      const by = approval.value.decision?.by ?? "an operator";
      throw fail("plasm-policy-denied", `${ref} was rejected by ${by}; that is final.`);
    }
    case "live":
    case "waiting":
    case "approved":
      if (over) throw fail("plasm-unknown-handle", `${ref} waited too long and has expired.`);
  }
  if (verdict === "rejected") return { ...record, state: "rejected" };
  if (state === "approved") return null;
  return { ...record, state: "approved", expiresAt: now + COMMIT_LIFETIME_MS };
}

async function write(
  tx: StoreOps,
  { scope, subject }: Operator,
  { approval, commit }: WaitingPlan,
  next: CommitRecord,
): Promise<WaitingPlan> {
  const now = tx.now();
  const verdict = next.state === "rejected" ? "rejected" : "approved";
  const asked = { ...approval.value, decision: { verdict, by: subject, at: now } } as const;
  const kept =
    (await tx.cas("commit", scope, commit.id, commit.version, next)) &&
    (await tx.cas("approval", scope, approval.id, approval.version, asked));
  if (!kept) throw fail("plasm-busy", "It changed meanwhile. Send the same call again.");
  await tx.delete("waiting", scope, waitingId(asked.owner, asked.uuid));
  if (verdict === "rejected") await noteRejection(tx, scope, asked);
  else await tx.renewSession(scope, asked.session, COMMIT_LIFETIME_MS);
  return { approval: { ...approval, value: asked }, commit: { ...commit, value: next } };
}

async function decide(
  tx: StoreOps,
  operator: Operator,
  uuid: string,
  verdict: Verdict,
): Promise<WaitingPlan> {
  const found = await askedPlan(tx, operator.scope, uuid);
  if (found === null) throw unknown(uuid);
  const { principal, subject, actingFor = null } = found.approval.value;
  const own = [subject, actingFor].some((one) => one !== null && isSameName(one, operator.subject));
  if (own || principal === principalOfOperator(operator)) {
    throw fail(
      "plasm-policy-denied",
      "Nobody decides on plans of their own: ask another operator.",
    );
  }
  const next = decided(found, verdict, tx.now());
  return next === null ? found : write(tx, operator, found, next);
}

/** What operators can do, on the store that engines share. */
export const approvalsIn = (store: Store): Approvals => ({
  list: async ({ scope }) =>
    (await store.transaction((tx) => waitingPlans(tx, scope, null))).map(shown),
  decide: async (operator, uuid, verdict) =>
    shown(await store.transaction((tx) => decide(tx, operator, uuid, verdict))),
});
