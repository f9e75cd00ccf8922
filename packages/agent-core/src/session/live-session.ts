import type { Policy } from "@plasm/core";
import { type Caller, principalOf } from "../identity/caller.ts";
import type { Stored } from "../store-port.ts";
import type {
  ConnectionSession,
  ExecuteSession,
  LogicalSession,
  Loss,
  LossReason,
  PastLoss,
  SessionKey,
} from "../records/sessions.ts";
import { type Earlier, keptAt } from "./connections.ts";
import type { SessionDeps } from "./session-deps.ts";
import { readsOf, type SessionView, viewSession } from "./session-view.ts";

/** A session that lives, or why it does not (SESS-11, SESS-12). */
export type Liveness =
  | { readonly live: true; readonly view: SessionView }
  | { readonly live: false; readonly reason: LossReason };

/**
 * Whether an address leads this caller to a session (SESS-38): a user's own where calls are delegated, else one whose
 * intent the caller has said itself, or that it opened without any. An address alone shares nothing.
 */
export async function isOpenTo(
  { store, delegation }: Pick<SessionDeps, "store" | "delegation">,
  caller: Caller,
  { subject, logicalId, opener }: Pick<ExecuteSession, "subject" | "logicalId" | "opener">,
): Promise<boolean> {
  const user = delegation(caller).principal;
  if ((subject ?? null) !== user) return false;
  if (user !== null) return true;
  const principal = principalOf(caller);
  if (logicalId !== null) return (await store.heldSlot(principal, logicalId)) !== null;
  return opener === undefined || opener === principal;
}

/** The same for a session by its key; one that is not there is nobody else's. */
export async function isOwnSession(
  deps: SessionDeps,
  caller: Caller,
  key: SessionKey,
): Promise<boolean> {
  const session = await deps.store.session(caller.scope, key);
  return session === null || isOpenTo(deps, caller, session);
}

/** Renews a session and reads it; expiry is judged and renewed in one store call. */
export async function reviveSession(
  deps: SessionDeps,
  scope: string,
  key: SessionKey,
  policy: Policy,
): Promise<Liveness> {
  const session = await deps.store.renewSession(scope, key, deps.sessionLifetimeMs);
  if (session === null) {
    const remains = await deps.store.session(scope, key);
    return { live: false, reason: remains === null ? "missing" : "expired" };
  }
  const view = await viewSession(deps.store, deps.pinned, session, policy);
  if (view !== null) return { live: true, view };
  // By its key it would be found again by each call that is to replace it.
  await deps.store.giveUpReuseKey(key);
  return { live: false, reason: "catalog_gone" };
}

/** A logical session with its live execute session. */
export interface Revived {
  readonly logical: Stored<LogicalSession>;
  readonly view: SessionView;
  /** what the connection keeps of it, where that was read with it */
  readonly onConnection?: Stored<ConnectionSession> | null;
}

/**
 * Finds the session of a slot and renews it in one look, where the store has one (SESS-11). Null where it has none, and
 * where no session lives there that this caller may use: its parts say why.
 */
export async function reviveAtSlot(
  { store, pinned, delegation, sessionLifetimeMs: lifetimeMs }: SessionDeps,
  caller: Caller,
  slot: number,
  policy: Policy,
): Promise<Revived | null> {
  if (store.sessionAtSlot === undefined) return null;
  const { scope } = caller;
  const principal = principalOf(caller);
  const known = pinned.logs.atSlot(principal, slot);
  const subject = delegation(caller).principal;
  const connection = keptAt(caller.connection);
  const asked = { scope, principal, slot, subject, lifetimeMs, known, connection };
  const found = await store.sessionAtSlot(asked);
  if (found === null) return null;
  const { session, logical, onConnection } = found;
  const after = known?.sessionId === session.sessionId ? known.waves : 0;
  const view = await viewSession(readsOf(store, found, after), pinned, session, policy);
  if (view === null) return null;
  pinned.logs.noteSlot(principal, slot, session);
  return { logical, view, onConnection };
}

/** The loss of a dead binding: as first noticed, else as noticed now (SESS-25). */
export function lossOf(logical: LogicalSession, bound: SessionKey, reason: LossReason): Loss {
  const noticed = logical.loss;
  if (noticed !== null && noticed.previous.sessionId === bound.sessionId) return noticed;
  return { reason, previous: bound, reported: false };
}

/** How many losses that are done with a logical session remembers. */
const REMEMBERED = 8;

/** The same with another loss, or none: what it had is remembered for whoever has not heard of it. */
export function withLoss(logical: LogicalSession, loss: Loss | null): LogicalSession {
  const { loss: before, past = [] } = logical;
  if (before === null || before.previous.sessionId === loss?.previous.sessionId) {
    return { ...logical, loss };
  }
  const { reason, previous } = before;
  return { ...logical, loss, past: [{ reason, previous }, ...past].slice(0, REMEMBERED) };
}

/**
 * How the session was lost whose waves a connection holds, which others may have recovered since (SESS-40). It
 * has expired if that was so long ago that nobody remembers.
 */
export function lossOfEarlier(
  logical: LogicalSession | null,
  { sessionId, promptHash = "" }: Earlier,
): PastLoss {
  const known = [...(logical?.loss ? [logical.loss] : []), ...(logical?.past ?? [])];
  const found = known.find(({ previous }) => previous.sessionId === sessionId);
  return found ?? { reason: "expired", previous: { promptHash, sessionId } };
}

/** Records a loss that a program call noticed, so that the next context reports it (SESS-25, F8). */
export async function recordLoss(
  deps: SessionDeps,
  scope: string,
  logical: Stored<LogicalSession>,
  loss: Loss,
): Promise<void> {
  if (logical.value.loss?.previous.sessionId === loss.previous.sessionId) return;
  const next = withLoss(logical.value, loss);
  await deps.store.cas("logical", scope, logical.id, logical.version, next);
}

/**
 * The same for a session that is named by its pair: the logical session that it is bound to remembers why it was
 * lost, whoever notices (SESS-25). Gives the reason, as it was noticed first.
 */
export async function recordLossOfPair(
  deps: SessionDeps,
  scope: string,
  key: SessionKey,
  reason: LossReason,
): Promise<LossReason> {
  const logicalId = (await deps.store.session(scope, key))?.logicalId ?? null;
  const logical = logicalId === null ? null : await deps.store.get("logical", scope, logicalId);
  if (logical?.value.bound?.sessionId !== key.sessionId) return reason;
  const loss = lossOf(logical.value, key, reason);
  await recordLoss(deps, scope, logical, loss);
  return loss.reason;
}
