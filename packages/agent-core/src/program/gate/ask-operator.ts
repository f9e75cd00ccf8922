import { type Json, type Plan, renderPlan } from "@plasm/core";
import { noteAudit } from "../../audit/audit-log.ts";
import { tenantOfScope } from "../../identity/tenant-scope.ts";
import { noteNotice } from "../../notices/outbox.ts";
import { accountLines } from "../../session/accounts.ts";
import { fail, type Failure } from "../../errors/problem.ts";
import type { Store, Stored, StoreOps } from "../../store-port.ts";
import type { ApprovalRecord, CommitRecord, WaitingRecord } from "../../records/commits.ts";
import { commitId, type CommitKey, mintIn } from "../plan/commits.ts";
import { effectKinds } from "../plan/plan-facts.ts";

/** OPS-36: how many plans of a logical session may wait at once. */
const MOST_WAITING = 20;
/**
 * The same of a caller, in all sessions, and of a tenant: whoever floods an operator's list is held before the list is
 * too long for others, and for whoever decides.
 */
const MOST_OF_CALLER = 60;
const MOST_OF_TENANT = 1_000;
/** OPS-36: how long a plan waits unless policy says otherwise. */
const DEFAULT_HOURS = 24;
const HOUR_MS = 3_600_000;

/** A plan that needs an operator, and who asks. */
export interface Asking {
  readonly place: CommitKey;
  readonly plan: Plan;
  readonly subject: string | null;
  /** the user that the call is for, if another (SURF-24) */
  readonly actingFor: string | null;
  readonly intent: string | null;
  readonly requestId?: string | undefined;
  /** who outside is told that it waits */
  readonly targets: readonly string[];
  /** policy's `approval.hours` */
  readonly hours: number | undefined;
  /** the person at the client may decide, too (OPS-65) */
  readonly byClient: boolean;
  /** what of it answers otherwise than it did, in words (OPS-67) */
  readonly drifted: readonly string[];
}

/** What is planned to change, with what kind of change it is: whether it can be undone hangs on that. */
function effectsWithKinds(plan: Plan) {
  const kinds = effectKinds(plan);
  return plan.summary.effects.map((effect) => ({
    ...effect,
    kind: kinds.get(effect.node) ?? "action",
  }));
}

function approvalOf(
  { place, plan, subject, actingFor, intent, byClient, drifted }: Asking,
  { uuid, ref, commit, session, principal, accounts }: CommitRecord,
  now: number,
): ApprovalRecord {
  return {
    uuid,
    ref,
    owner: place.owner,
    session,
    principal,
    subject,
    actingFor,
    intent,
    commit,
    program: plan.source,
    plan: [renderPlan(plan, ref, { now }), ...accountLines(accounts), ...drifted].join("\n"),
    effects: effectsWithKinds(plan) as unknown as readonly Json[],
    bill: plan.summary.bill as unknown as Json,
    requestedAt: now,
    ...(byClient ? { byClient } : {}),
    decision: null,
  };
}

const full = (what: string): Failure =>
  fail(
    "plasm-too-many-operations",
    `${what} wait for an operator already. Wait until some are decided.`,
  );

/** Throws plasm-too-many-operations where a session, its caller or its tenant has as many plans waiting as may. */
async function refuseFlood(tx: StoreOps, { place, subject }: Asking): Promise<void> {
  const { scope, owner } = place;
  if ((await waitingPlans(tx, scope, owner)).length >= MOST_WAITING) {
    throw full(`${MOST_WAITING} plans of this session`);
  }
  const waiting = await waitingPlaces(tx, scope);
  if (waiting.filter(({ value }) => (value.subject ?? null) === subject).length >= MOST_OF_CALLER) {
    throw full(`${MOST_OF_CALLER} plans of this caller`);
  }
  if (waiting.length >= MOST_OF_TENANT) throw full(`${MOST_OF_TENANT} plans of this tenant`);
}

async function putOnList(
  tx: StoreOps,
  asking: Asking,
  minted: Stored<CommitRecord>,
): Promise<CommitRecord> {
  const { scope, owner, session } = asking.place;
  await refuseFlood(tx, asking);
  const now = tx.now();
  const waitMs = (asking.hours ?? DEFAULT_HOURS) * HOUR_MS;
  const expiresAt = now + waitMs;
  const waiting: CommitRecord = { ...minted.value, state: "waiting", expiresAt };
  const { uuid } = waiting;
  if (!(await tx.cas("commit", scope, minted.id, minted.version, waiting))) {
    throw fail("plasm-busy", "The plan's ref was taken meanwhile. Send the same call again.");
  }
  await tx.insert("approval", scope, uuid, approvalOf(asking, waiting, now));
  await tx.insert("waiting", scope, waitingId(owner, uuid), {
    uuid,
    subject: asking.subject,
    expiresAt,
  });
  await noteAudit(tx, tenantOfScope(scope), {
    kind: "approval_requested",
    subject: asking.subject,
    acting_for: asking.actingFor,
    target: uuid,
    plan_commit_ref: waiting.ref,
    commit: waiting.commit,
    request_id: asking.requestId ?? null,
  });
  const { effects } = asking.plan.summary;
  await noteNotice(tx, asking.targets, {
    type: "approval.requested",
    tenant: tenantOfScope(scope),
    subject: asking.subject,
    acting_for: asking.actingFor,
    commit_uuid: uuid,
    plan_commit_ref: waiting.ref,
    effects: effects.length,
    capabilities: effects.map(({ catalog, capability }) => `${catalog}.${capability}`),
    expires_at: new Date(expiresAt).toISOString(),
  });
  await tx.renewSession(scope, session, waitMs);
  return waiting;
}

/** Who may decide on what waits is judged by the policy as it is now. */
async function judgeAgain(tx: StoreOps, { place, byClient }: Asking, uuid: string): Promise<void> {
  const found = await tx.get("approval", place.scope, uuid);
  if (found === null || (found.value.byClient ?? false) === byClient) return;
  const { byClient: _, ...rest } = found.value;
  const value = { ...rest, ...(byClient ? { byClient } : {}) };
  if (!(await tx.cas("approval", place.scope, uuid, found.version, value)))
    throw fail("plasm-busy", "It changed meanwhile. Send the same call again.");
}

/**
 * The ref of a plan that needs an operator, on the operator's list from its first call on (OPS-36). It
 * waits 24 h unless policy says otherwise, and its session with it. Throws plasm-too-many-operations.
 */
export const askOperator = (store: Store, asking: Asking): Promise<CommitRecord> =>
  store.transaction(async (tx) => {
    const minted = await mintIn(tx, asking.place, asking.plan);
    const { state, uuid, approvedBy, ...rest } = minted.value;
    if (state === "live") return putOnList(tx, asking, minted);
    if (state === "waiting") await judgeAgain(tx, asking, uuid);
    if (state !== "approved" || approvedBy === undefined || asking.byClient) return minted.value;
    // The person at the client approved what policy has since given to an operator.
    await tx.delete("approval", asking.place.scope, uuid);
    return putOnList(tx, asking, { ...minted, value: { ...rest, uuid, state } });
  });

const rejectionId = (owner: string, commit: string): string => `${owner}/${commit}`;

/** Whether an operator has rejected this plan in this session (OPS-36). */
export const isRejected = async (
  store: StoreOps,
  { scope, owner }: CommitKey,
  commit: string,
): Promise<boolean> => (await store.get("rejection", scope, rejectionId(owner, commit))) !== null;

/** Keeps that a plan was rejected in its session, for good. */
export async function noteRejection(
  tx: StoreOps,
  scope: string,
  { owner, commit, uuid, ref }: ApprovalRecord,
): Promise<void> {
  await tx.insert("rejection", scope, rejectionId(owner, commit), { uuid, ref });
}

/** A plan that waits for an operator, with its ref. */
export interface WaitingPlan {
  readonly approval: Stored<ApprovalRecord>;
  readonly commit: Stored<CommitRecord>;
}

export const waitingId = (owner: string, uuid: string): string => `${owner}/${uuid}`;

/** A plan that was put before an operator, by the uuid of its commit; null if there is none. */
export async function askedPlan(
  store: StoreOps,
  scope: string,
  uuid: string,
): Promise<WaitingPlan | null> {
  const approval = await store.get("approval", scope, uuid);
  if (approval === null) return null;
  const { owner, ref } = approval.value;
  const commit = await store.get("commit", scope, commitId(owner, ref));
  return commit === null ? null : { approval, commit };
}

/** The places of plans whose time is not over, in the order they came. */
export async function waitingPlaces(
  store: StoreOps,
  scope: string,
): Promise<readonly Stored<WaitingRecord>[]> {
  const now = store.now();
  return (await store.list("waiting", scope, "")).filter(({ value }) => value.expiresAt > now);
}

/**
 * The plans that wait now in a scope, those of one owner or of all, in the order they came. Places of plans
 * that no longer wait are given up on the way.
 */
export async function waitingPlans(
  store: StoreOps,
  scope: string,
  owner: string | null,
): Promise<readonly WaitingPlan[]> {
  const places = await store.list("waiting", scope, owner === null ? "" : waitingId(owner, ""));
  const found: WaitingPlan[] = [];
  for (const { id, value } of places) {
    const asked = await askedPlan(store, scope, value.uuid);
    const waits = asked?.commit.value.state === "waiting" && value.expiresAt > store.now();
    if (asked !== null && waits) found.push(asked);
    else await store.delete("waiting", scope, id);
  }
  return found;
}
