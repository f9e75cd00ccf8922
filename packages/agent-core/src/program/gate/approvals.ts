import type { Json, JsonObject } from "@plasm/core";
import { noteAudit } from "../../audit/audit-log.ts";
import { noteNotice } from "../../notices/outbox.ts";
import { fail } from "../../errors/problem.ts";
import { named } from "../../errors/arguments.ts";
import { type Caller, principalOf } from "../../identity/caller.ts";
import { tenantOfScope } from "../../identity/tenant-scope.ts";
import { isSameName, type Operator, principalOfOperator } from "../../identity/keys.ts";
import type { Store, Stored, StoreOps } from "../../store-port.ts";
import type { CommitRecord, Decision, WaitingRecord } from "../../records/commits.ts";
import {
  askedPlan,
  noteRejection,
  waitingId,
  waitingPlaces,
  type WaitingPlan,
  waitingPlans,
} from "./ask-operator.ts";
import { COMMIT_LIFETIME_MS } from "../plan/commits.ts";
import { isoSeconds } from "../../answer/times.ts";

/** What an operator decides on a plan that waits (OPS-36). */
export type Verdict = Decision["verdict"];

/** A plan that was put before somebody, as whoever decides is shown it (OPS-45). */
export type ApprovalView = {
  readonly commit_uuid: string;
  readonly state: CommitRecord["state"];
  /** the hash that a decision binds to */
  readonly commit: string;
  readonly plan_commit_ref: string;
  readonly subject: string | null;
  readonly acting_for: string | null;
  readonly intent: string | null;
  readonly requested_at: string;
  readonly expires_at: string;
  readonly program: string;
  readonly plan: string;
  readonly effects: readonly Json[];
  readonly accounts: JsonObject;
  readonly bill: Json;
  readonly explained: JsonObject | null;
  readonly decided_by: string | null;
  readonly decided_at: string | null;
  readonly reason: string | null;
};

/**
 * What operators do with plans that wait (OPS-36). No engine has these: what serves a model is never
 * given them.
 */
export interface Approvals {
  /** the plans of the operator's tenant that wait, oldest first; all of them */
  list(operator: Operator): Promise<readonly ApprovalView[]>;
  /** a page of them, and who has how many */
  page(operator: Operator, which?: ApprovalsPage): Promise<WaitingPage>;
  /** Returns one of the operator's tenant by the uuid of its commit, decided or not. Throws plasm-unknown-handle. */
  find(operator: Operator, uuid: string): Promise<ApprovalView>;
  /**
   * Approves or rejects one by the uuid of its commit, and tells how it stands then. Throws
   * plasm-unknown-handle, plasm-policy-denied, plasm-commit-used.
   */
  decide(
    operator: Operator,
    uuid: string,
    verdict: Verdict,
    said?: DecisionWords,
  ): Promise<ApprovalView>;
}

/** What an operator says beside a verdict. */
export interface DecisionWords {
  /** the hash of the plan that the operator has read: no other is decided */
  readonly commit?: string | undefined;
  readonly reason?: string | undefined;
  /** time of the explanation that the operator has read, null for none: nothing is approved by another (OPS-45) */
  readonly explainedAt?: string | null | undefined;
}

/** Which plans of those that wait. */
export interface ApprovalsPage {
  /** uuid of the last plan of the page before; the oldest without it */
  readonly after?: string | null;
  /** of this caller alone */
  readonly subject?: string | null;
}

/** A page of the plans that wait, oldest first. */
export interface WaitingPage {
  readonly approvals: readonly ApprovalView[];
  /** how many wait, of all that were asked for */
  readonly total: number;
  /** `after` of the next page; null at the end */
  readonly next: string | null;
  /** who has how many waiting, of the whole tenant, the most first */
  readonly callers: readonly { readonly subject: string | null; readonly waiting: number }[];
}

/** Plans that an operator is shown at a time. */
const PAGE = 20;

/** Who has how many, the most first. */
function callersOf(places: readonly Stored<WaitingRecord>[]): WaitingPage["callers"] {
  const counts = new Map<string | null, number>();
  for (const { value } of places) {
    const subject = value.subject ?? null;
    counts.set(subject, (counts.get(subject) ?? 0) + 1);
  }
  return [...counts]
    .map(([subject, waiting]) => ({ subject, waiting }))
    .toSorted((a, b) => b.waiting - a.waiting);
}

/** A page, found by the places on the list alone: plans of other pages are not read. */
async function pageOf(
  tx: StoreOps,
  scope: string,
  { after = null, subject = null }: ApprovalsPage,
): Promise<WaitingPage> {
  const places = await waitingPlaces(tx, scope);
  const chosen = places.filter(({ value }) => subject === null || value.subject === subject);
  const last = after === null ? -1 : chosen.findIndex(({ value }) => value.uuid === after);
  if (after !== null && last === -1) {
    throw fail(
      "plasm-bad-request",
      `after=${named(after)} is no plan that waits: it may have been decided. Begin with the first page.`,
    );
  }
  const shownHere = chosen.slice(last + 1, last + 1 + PAGE);
  const plans = await Promise.all(shownHere.map(({ value }) => askedPlan(tx, scope, value.uuid)));
  const isMore = last + 1 + PAGE < chosen.length;
  return {
    approvals: plans.flatMap((plan) =>
      plan?.commit.value.state === "waiting" ? [shown(plan)] : [],
    ),
    total: chosen.length,
    next: isMore ? (shownHere.at(-1)?.value.uuid ?? null) : null,
    callers: callersOf(places),
  };
}

/** What its caller had explained of it (OPS-45): nothing is read for an operator. */
function explanationOf({ explained }: CommitRecord): JsonObject | null {
  if (explained?.effects === undefined) return null;
  const { at, effects, omitted = 0 } = explained;
  return { at: isoSeconds(at), effects, omitted };
}

/** How a plan that was put before operators stands, as it is shown to them. */
function shown({ approval, commit }: WaitingPlan): ApprovalView {
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
    requested_at: isoSeconds(asked.requestedAt),
    expires_at: isoSeconds(commit.value.expiresAt),
    program: asked.program,
    plan: asked.plan,
    effects: asked.effects,
    accounts: commit.value.accounts ?? {},
    bill: asked.bill ?? null,
    explained: explanationOf(commit.value),
    decided_by: decision?.by ?? null,
    decided_at: decision === null ? null : isoSeconds(decision.at),
    reason: decision?.reason ?? null,
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
  targets: readonly string[],
  { scope, subject, requestId }: Pick<Operator, "scope" | "subject" | "requestId">,
  { approval, commit }: WaitingPlan,
  next: CommitRecord,
  reason: string | undefined,
): Promise<WaitingPlan> {
  const now = tx.now();
  const verdict = next.state === "rejected" ? "rejected" : "approved";
  const said = reason === undefined ? {} : { reason };
  const asked = {
    ...approval.value,
    decision: { verdict, by: subject, at: now, ...said },
  } as const;
  const kept =
    (await tx.cas("commit", scope, commit.id, commit.version, next)) &&
    (await tx.cas("approval", scope, approval.id, approval.version, asked));
  if (!kept) throw fail("plasm-busy", "It changed meanwhile. Send the same call again.");
  await tx.delete("waiting", scope, waitingId(asked.owner, asked.uuid));
  await noteAudit(tx, tenantOfScope(scope), {
    kind: verdict === "approved" ? "approval_given" : "approval_rejected",
    subject,
    target: asked.uuid,
    plan_commit_ref: asked.ref,
    commit: asked.commit,
    request_id: requestId ?? null,
    detail: `asked by ${asked.subject ?? "nobody who is known"}${reason === undefined ? "" : `: ${reason}`}`,
  });
  await noteNotice(tx, targets, {
    type: "approval.decided",
    tenant: tenantOfScope(scope),
    subject: asked.subject,
    acting_for: asked.actingFor ?? null,
    commit_uuid: asked.uuid,
    plan_commit_ref: asked.ref,
    effects: asked.effects.length,
    verdict,
    decided_by: subject,
  });
  if (verdict === "rejected") await noteRejection(tx, scope, asked);
  else await tx.renewSession(scope, asked.session, COMMIT_LIFETIME_MS);
  return { approval: { ...approval, value: asked }, commit: { ...commit, value: next } };
}

/** Throws where a decision was made on another plan than this one. */
function refuseOther({ approval }: WaitingPlan, commit: string): void {
  if (commit === approval.value.commit) return;
  const why =
    "This is another plan than the one that was read. Nothing was decided: read it again.";
  throw fail("plasm-policy-denied", why);
}

/** Throws where its caller had a plan explained since it was read: it may change other values (OPS-45). */
function refuseExplainedAgain({ commit }: WaitingPlan, read: string | null): void {
  const { explained } = commit.value;
  if (read === (explained === undefined ? null : isoSeconds(explained.at))) return;
  const why =
    "It was explained again since it was read, and may change other values. Nothing was decided: read it again.";
  throw fail("plasm-policy-denied", why);
}

async function decide(
  tx: StoreOps,
  targets: readonly string[],
  operator: Operator,
  uuid: string,
  verdict: Verdict,
  { commit, reason, explainedAt }: DecisionWords,
): Promise<WaitingPlan> {
  const found = await askedPlan(tx, operator.scope, uuid);
  if (found === null) throw unknown(uuid);
  if (commit !== undefined) refuseOther(found, commit);
  if (verdict === "approved" && explainedAt !== undefined) refuseExplainedAgain(found, explainedAt);
  const { principal, subject, actingFor = null } = found.approval.value;
  const own = [subject, actingFor].some((one) => one !== null && isSameName(one, operator.subject));
  if (own || principal === principalOfOperator(operator)) {
    throw fail(
      "plasm-policy-denied",
      "Nobody decides on plans of their own: ask another operator.",
    );
  }
  const next = decided(found, verdict, tx.now());
  return next === null ? found : write(tx, targets, operator, found, next, reason);
}

/** What operators can do, on the store that engines share; `targets` are told of what they decide (OPS-49). */
export const approvalsIn = (store: Store, targets: readonly string[] = []): Approvals => ({
  list: async ({ scope }) =>
    (await store.transaction((tx) => waitingPlans(tx, scope, null))).map(shown),
  page: ({ scope }, which = {}) => store.transaction((tx) => pageOf(tx, scope, which)),
  find: async ({ scope }, uuid) => {
    const found = await store.transaction((tx) => askedPlan(tx, scope, uuid));
    if (found === null) throw unknown(uuid);
    return shown(found);
  },
  decide: async (operator, uuid, verdict, said = {}) =>
    shown(await store.transaction((tx) => decide(tx, targets, operator, uuid, verdict, said))),
});

/** A plan of a caller that waits, as the person at the client is asked about it. */
export interface OwnWaiting {
  readonly uuid: string;
  readonly ref: string;
  /** the hash that a decision binds to */
  readonly commit: string;
  readonly state: CommitRecord["state"];
  /** whether that person may decide; else an operator alone does */
  readonly byClient: boolean;
  readonly program: string;
  readonly plan: string;
}

/**
 * What a surface does for the person at its client, with plans of the caller that this person's client speaks for (OPS-65). No engine has
 * these, and no tool takes what they take: a model is never given them.
 */
export interface ClientDecisions {
  /** Returns a plan of this caller that was put before somebody; null for any other. */
  find(caller: Caller, uuid: string): Promise<OwnWaiting | null>;
  /** Decides on a plan of this caller, if policy lets its client. Throws as {@link Approvals.decide}. */
  decide(
    caller: Caller,
    uuid: string,
    verdict: Verdict,
    said: { readonly commit: string; readonly reason?: string },
  ): Promise<void>;
}

async function ownPlan(tx: StoreOps, caller: Caller, uuid: string): Promise<WaitingPlan | null> {
  const found = await askedPlan(tx, caller.scope, uuid);
  return found?.approval.value.principal === principalOf(caller) ? found : null;
}

/** The decisions of persons at clients, on the store that engines share. */
export const clientDecisionsIn = (
  store: Store,
  targets: readonly string[] = [],
): ClientDecisions => ({
  find: async (caller, uuid) => {
    const found = await store.transaction((tx) => ownPlan(tx, caller, uuid));
    if (found === null) return null;
    const { ref, commit, program, plan, byClient = false } = found.approval.value;
    return { uuid, ref, commit, program, plan, byClient, state: found.commit.value.state };
  },
  decide: async (caller, uuid, verdict, { commit, reason }) => {
    await store.transaction(async (tx) => {
      const found = await ownPlan(tx, caller, uuid);
      if (found === null) throw unknown(uuid);
      refuseOther(found, commit);
      if (found.approval.value.byClient !== true)
        throw fail("plasm-policy-denied", "Policy lets an operator alone decide on this plan.");
      const next = decided(found, verdict, tx.now());
      const { scope, subject, requestId } = caller;
      const by = {
        scope,
        subject: `${subject ?? "the person"} at the client`,
        ...(requestId === undefined ? {} : { requestId }),
      };
      if (next === null) return;
      const kept = next.state === "approved" ? ({ ...next, approvedBy: "client" } as const) : next;
      await write(tx, targets, by, found, kept, reason);
    });
  },
});
