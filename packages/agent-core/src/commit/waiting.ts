import type { StoreOps, Stored } from "../ports.ts";
import type { ApprovalRecord, WaitingRecord } from "../records/approval-record.ts";
import type { CommitRecord } from "../records/commit-record.ts";
import { commitId } from "./mint.ts";

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
