import { randomUUID } from "node:crypto";
import type { Plan } from "@plasm/core";
import type { Store, StoreOps } from "../ports.ts";
import type { CommitRecord } from "../records/commit-record.ts";
import type { SessionKey } from "../records/execute-session.ts";

/** OPS-3: how long an unused ref lives, in ms, from minting. */
const COMMIT_LIFETIME_MS = 600_000;

/** Where a ref belongs. */
export interface CommitPlace {
  readonly scope: string;
  readonly owner: string;
  readonly principal: string;
  readonly session: SessionKey;
}

export const commitId = (owner: string, ref: string): string => `${owner}/${ref}`;

const mintedId = (place: CommitPlace, commit: string): string =>
  `${place.session.sessionId}/${place.principal}/${commit}`;

const usable = (record: CommitRecord | undefined, now: number): record is CommitRecord =>
  record?.state === "live" && record.expiresAt > now;

async function mintNew(
  store: StoreOps,
  place: CommitPlace,
  plan: Plan,
  hasEffects: boolean,
): Promise<CommitRecord> {
  const n = await store.nextNumber(place.owner, "pc");
  const now = store.now();
  const record: CommitRecord = {
    uuid: randomUUID(),
    ref: `pc${n}`,
    session: { promptHash: place.session.promptHash, sessionId: place.session.sessionId },
    principal: place.principal,
    commit: plan.commit,
    verdict: plan.summary.verdict,
    state: "live",
    hasEffects,
    mintedAt: now,
    expiresAt: now + COMMIT_LIFETIME_MS,
  };
  await store.insert("commit", place.scope, commitId(place.owner, record.ref), record);
  return record;
}

/**
 * The ref of a plan: the live one of this session and principal, unchanged, else a fresh one
 * (OPS-2, PLAN-031). Planning never extends a ref's life. Calls at the same time get the same ref.
 */
export const mintCommit = (store: Store, place: CommitPlace, plan: Plan): Promise<CommitRecord> =>
  store.transaction(async (tx) => {
    const id = mintedId(place, plan.commit);
    const known = await tx.get("minted", place.scope, id);
    if (known !== null) {
      const found = await tx.get("commit", place.scope, commitId(place.owner, known.value.ref));
      if (usable(found?.value, tx.now())) return found.value;
    }
    const record = await mintNew(tx, place, plan, plan.summary.effects.length > 0);
    const minted = { ref: record.ref };
    if (known === null) await tx.insert("minted", place.scope, id, minted);
    else await tx.cas("minted", place.scope, id, known.version, minted);
    return record;
  });
