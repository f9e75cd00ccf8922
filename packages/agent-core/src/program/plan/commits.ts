import { randomUUID } from "node:crypto";
import type { Plan } from "@plasm/core";
import type { Store, Stored, StoreOps } from "../../store-port.ts";
import type { CommitRecord, MintedRecord } from "../../records/commits.ts";
import type { AccountNames, SessionKey } from "../../records/sessions.ts";
import { accountsAmong, areSameAccounts } from "../../session/accounts.ts";
import { contentsOf } from "./bound-files.ts";
import { entryIdsOf } from "./plan-facts.ts";
import type { Caller } from "../../identity/caller.ts";
import type { ResolvedSession } from "../../session/locate.ts";

/** OPS-3: how long an unused ref lives, in ms, from minting. */
export const COMMIT_LIFETIME_MS = 600_000;

/** Where a ref belongs. */
export interface CommitKey {
  readonly scope: string;
  readonly owner: string;
  readonly principal: string;
  readonly session: SessionKey;
  /** what its calls use now; a ref that was minted for others is void (RUN-129) */
  readonly accounts?: AccountNames | undefined;
}

export const commitId = (owner: string, ref: string): string => `${owner}/${ref}`;

/** Whose refs they are: a session's and a principal's. */
type Minter = Pick<CommitKey, "session" | "principal">;

export const mintedId = ({ session, principal }: Minter, commit: string): string =>
  `${session.sessionId}/${principal}/${commit}`;

/** Whether a run may start under a ref, where the gate let it: it is neither consumed nor rejected. */
export const mayStart = ({ state }: CommitRecord): boolean =>
  state !== "consumed" && state !== "rejected";

const usable = (record: CommitRecord, now: number, accounts: AccountNames | undefined): boolean =>
  record.state !== "consumed" &&
  record.expiresAt > now &&
  areSameAccounts(record.accounts, accounts);

async function mintNew(
  store: StoreOps,
  place: CommitKey,
  plan: Plan,
  hasEffects: boolean,
): Promise<CommitRecord> {
  const n = await store.nextNumber(place.owner, "pc");
  const now = store.now();
  const accounts = accountsAmong(place.accounts, entryIdsOf(plan));
  const record: CommitRecord = {
    uuid: randomUUID(),
    ref: `pc${n}`,
    session: { promptHash: place.session.promptHash, sessionId: place.session.sessionId },
    principal: place.principal,
    commit: plan.commit,
    program: plan.source,
    verdict: plan.summary.verdict,
    state: "live",
    hasEffects,
    ...(accounts === undefined ? {} : { accounts }),
    ...contentsOf(plan),
    mintedAt: now,
    expiresAt: now + COMMIT_LIFETIME_MS,
  };
  await store.insert("commit", place.scope, commitId(place.owner, record.ref), record);
  return record;
}

/** What a plan was minted under last, and whether that may be used still. */
export interface Standing {
  readonly known: Stored<MintedRecord> | null;
  readonly usable: Stored<CommitRecord> | null;
}

export async function standingOf(store: StoreOps, place: CommitKey, plan: Plan): Promise<Standing> {
  const known = await store.get("minted", place.scope, mintedId(place, plan.commit));
  if (known === null) return { known, usable: null };
  const found = await store.get("commit", place.scope, commitId(place.owner, known.value.ref));
  const accounts = accountsAmong(place.accounts, entryIdsOf(plan));
  const isUsable = found !== null && usable(found.value, store.now(), accounts);
  return { known, usable: isUsable ? found : null };
}

/** The same inside a transaction, so that more can be done to the ref. */
export async function mintIn(
  tx: StoreOps,
  place: CommitKey,
  plan: Plan,
): Promise<Stored<CommitRecord>> {
  const standing = await standingOf(tx, place, plan);
  if (standing.usable !== null) return standing.usable;
  const value = await mintNew(tx, place, plan, plan.summary.effects.length > 0);
  const id = mintedId(place, plan.commit);
  const minted = { ref: value.ref };
  const { known } = standing;
  if (known === null) await tx.insert("minted", place.scope, id, minted);
  else await tx.cas("minted", place.scope, id, known.version, minted);
  return { id: commitId(place.owner, value.ref), version: 1, value };
}

/**
 * The ref of a plan: the one of this session and principal that is neither expired nor consumed,
 * unchanged, else a fresh one (OPS-2, PLAN-031). Planning never extends a ref's life. Calls at the same
 * time get the same ref. Only a fresh one needs a transaction, which is durable when this resolves if the plan has
 * effects (SESS-30). Who has looked already how it stands hands that over.
 */
export async function mintCommit(
  store: Store,
  place: CommitKey,
  plan: Plan,
  looked: Promise<Standing> = standingOf(store, place, plan),
): Promise<CommitRecord> {
  const standing = await looked;
  if (standing.usable !== null) return standing.usable.value;
  const until = plan.summary.effects.length > 0 ? "durable" : "visible";
  return (await store.transaction((tx) => mintIn(tx, place, plan), until)).value;
}

/**
 * Has a ref live so long at least, and its session with it, since a person was asked to sign in for it (RUN-128). One
 * that has been consumed or rejected meanwhile stays as it is.
 */
export async function prolongCommit(
  store: Store,
  { scope, owner, session }: CommitKey,
  ref: string,
  lifetimeMs: number,
): Promise<void> {
  const id = commitId(owner, ref);
  await store.transaction(async (tx) => {
    const found = await tx.get("commit", scope, id);
    const expiresAt = tx.now() + lifetimeMs;
    if (found === null || !mayStart(found.value) || found.value.expiresAt >= expiresAt) return;
    await tx.cas("commit", scope, id, found.version, { ...found.value, expiresAt });
    await tx.renewSession(scope, session, lifetimeMs);
  });
}

/** Where the records of a located session belong. */
export const placeOf = (caller: Caller, at: ResolvedSession): CommitKey => ({
  scope: caller.scope,
  owner: at.owner,
  principal: at.principal,
  session: {
    promptHash: at.view.session.promptHash,
    sessionId: at.view.session.sessionId,
  },
  accounts: at.accounts,
});

/** The record that a ref names for this principal and logical session, of whatever execute session; else null. */
export async function knownCommit(
  store: Store,
  { scope }: Caller,
  { owner, principal }: ResolvedSession,
  ref: string,
): Promise<CommitRecord | null> {
  const found = await store.get("commit", scope, commitId(owner, ref));
  return found?.value.principal === principal ? found.value : null;
}

/** Whether a ref was minted in the execute session of now (OPS-3). */
export const isOfSession = ({ session }: CommitRecord, { view }: ResolvedSession): boolean =>
  session.sessionId === view.session.sessionId;

/**
 * The record that a ref sent with a plan stands for; anything else is unknown (PLAN-030). One that has run
 * is known beyond the life of its execute session, too, as long as the logical session goes on (OPS-3); so
 * is one whose program has become another plan meanwhile, since its catalog changed (PLAN-032).
 */
export function judgedCommit(
  record: CommitRecord | null,
  at: ResolvedSession,
  plan: Plan,
): CommitRecord | null {
  if (record === null) return null;
  // What was planned for one account never runs for another (RUN-129); what has run is told as it was.
  const accounts = accountsAmong(at.accounts, entryIdsOf(plan));
  if (record.state !== "consumed" && !areSameAccounts(record.accounts, accounts)) return null;
  if (isOfSession(record, at)) return record;
  const changed = record.state === "live" && record.commit !== plan.commit;
  return changed || record.state === "consumed" ? record : null;
}
