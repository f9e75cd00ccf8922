import type { Policy } from "@plasm/core";
import { fail } from "../errors/problem.ts";
import { type Caller, principalOf } from "../identity/caller.ts";
import type { Stored } from "../store-port.ts";
import type {
  AccountNames,
  ExecuteSession,
  LogicalSession,
  LossReason,
  SessionKey,
} from "../records/sessions.ts";
import { connectionState, noteRestored } from "./connections.ts";
import {
  isUuid,
  lostPair,
  lostText,
  type SessionAddress,
  slotOfRef,
  slotRef,
  unknownPair,
  unknownSession,
} from "./handles.ts";
import {
  isOpenTo,
  isOwnSession,
  lossOf,
  lossOfEarlier,
  recordLoss,
  recordLossOfPair,
  reviveAtSlot,
  type Revived,
  reviveSession,
  withLoss,
} from "./live-session.ts";
import type { SessionDeps } from "./session-deps.ts";
import { type SessionView, viewSession } from "./session-view.ts";

/** A live session as its caller sees it. */
export interface ResolvedSession {
  readonly view: SessionView;
  readonly logical: Stored<LogicalSession> | null;
  /** `s0`; null for an unbound session, whose handles work on its own routes only (OPS-17) */
  readonly ref: string | null;
  /** whose counters and handles these are: the logical session, else the execute session (SESS-6) */
  readonly owner: string;
  readonly principal: string;
  /** the accounts that its calls use; absent before they were found out (RUN-129) */
  readonly accounts?: AccountNames | undefined;
}

const sessionLost = (ref: string, reason: LossReason) =>
  fail("plasm-session-lost", lostText(ref, reason), { meta: { reason } });

/** A session as its ref leads to it. */
interface Reached extends Revived {
  readonly slot: number;
}

/** The same part by part: what is missing is said, and what was lost is noted. */
async function reachByParts(
  deps: SessionDeps,
  caller: Caller,
  text: string,
  policy: Policy,
): Promise<Reached> {
  const logical = await logicalByRef(deps, caller, text);
  const slot = slotOfRef(text) ?? (await deps.store.slotOf(principalOf(caller), logical.id));
  const bound = logical.value.bound;
  if (bound === null) throw unknownSession(text);
  const found = await reviveSession(deps, caller.scope, bound, policy);
  if (found.live) return { logical, slot, view: found.view };
  const loss = lossOf(logical.value, bound, found.reason);
  await recordLoss(deps, caller.scope, logical, loss);
  throw sessionLost(slotRef(slot), loss.reason);
}

async function reach(deps: SessionDeps, caller: Caller, text: string): Promise<Reached> {
  const policy = await deps.policies.policyOf(caller.scope);
  const slot = slotOfRef(text);
  const revived = slot === null ? null : await reviveAtSlot(deps, caller, slot, policy);
  return slot === null || revived === null
    ? reachByParts(deps, caller, text, policy)
    : { ...revived, slot };
}

async function locateByRef(
  deps: SessionDeps,
  caller: Caller,
  text: string,
): Promise<ResolvedSession> {
  const { store } = deps;
  const { logical, slot, view, onConnection } = await reach(deps, caller, text);
  const ref = slotRef(slot);
  const { sessionId } = view.session;
  const waves = view.waves.length;
  const { connection } = caller;
  const held = await connectionState(store, connection, logical.id, sessionId, waves, onConnection);
  if (held.stale !== null) throw sessionLost(ref, lossOfEarlier(logical.value, held.stale).reason);
  if (!held.isKnown) await noteRestored(store, connection, logical.id);
  return { view, logical, ref, owner: logical.id, principal: principalOf(caller) };
}

async function locateByPair(
  deps: SessionDeps,
  caller: Caller,
  key: SessionKey,
): Promise<ResolvedSession> {
  if (!(await isOwnSession(deps, caller, key))) throw unknownPair();
  const policy = await deps.policies.policyOf(caller.scope);
  const found = await reviveSession(deps, caller.scope, key, policy);
  if (!found.live) {
    if (found.reason === "missing") throw unknownPair();
    throw lostPair(await recordLossOfPair(deps, caller.scope, key, found.reason));
  }
  const principal = principalOf(caller);
  const uuid = found.view.session.logicalId;
  if (uuid === null) {
    return { view: found.view, logical: null, ref: null, owner: key.sessionId, principal };
  }
  const logical = await deps.store.get("logical", caller.scope, uuid);
  const ref = slotRef(await deps.store.slotOf(principal, uuid));
  return { view: found.view, logical, ref, owner: uuid, principal };
}

/**
 * Finds the live session an address names and renews it. Unknown and foreign give the same
 * `plasm-unknown-session` (SESS-4, SESS-38); a lost one is `plasm-session-lost` (SESS-26, SESS-40).
 */
export const locate = (
  deps: SessionDeps,
  caller: Caller,
  address: SessionAddress,
): Promise<ResolvedSession> =>
  address.kind === "ref"
    ? locateByRef(deps, caller, address.ref)
    : locateByPair(deps, caller, address);

/** A program was accepted in the session that replaced a lost one: the loss is done with (SESS-25). */
export async function programAccepted(
  deps: SessionDeps,
  caller: Caller,
  at: ResolvedSession,
): Promise<void> {
  const logical = at.logical;
  if (logical === null || logical.value.loss?.reported !== true) return;
  const next = withLoss(logical.value, null);
  await deps.store.cas("logical", caller.scope, logical.id, logical.version, next);
}

/**
 * Whose records an address names (SESS-6), without renewing or requiring a live session:
 * snapshots outlive the session they were made in.
 */
export async function locateOwner(
  deps: SessionDeps,
  caller: Caller,
  address: SessionAddress,
): Promise<string> {
  if (address.kind === "pair") {
    const session = await deps.store.session(caller.scope, address);
    if (session === null || !(await isOpenTo(deps, caller, session))) throw unknownPair();
    return session.logicalId ?? session.sessionId;
  }
  const logical = await logicalByRef(deps, caller, address.ref);
  await noteRestored(deps.store, caller.connection, logical.id);
  return logical.id;
}

/** The logical session that a slot of this principal names, or the uuid of one that it has opened (SESS-3, SESS-38). */
async function logicalByRef(
  deps: SessionDeps,
  caller: Caller,
  ref: string,
): Promise<Stored<LogicalSession>> {
  const slot = slotOfRef(ref);
  const uuid = slot === null ? ref : await deps.store.logicalAtSlot(principalOf(caller), slot);
  if (uuid === null || !isUuid(uuid)) throw unknownSession(ref);
  const logical = await deps.store.get("logical", caller.scope, uuid);
  if (logical === null) throw unknownSession(ref);
  const { subject = null } = logical.value;
  // Who names a slot holds it.
  const own = slot !== null && subject === deps.delegation(caller).principal;
  if (own || (await isOpenTo(deps, caller, { subject, logicalId: uuid }))) return logical;
  throw unknownSession(ref);
}

/**
 * The session an address names, live or not, which is not renewed by that (SESS-11). Unknown and foreign
 * answer alike: throws plasm-unknown-session (SESS-38).
 */
export async function lookAt(
  deps: SessionDeps,
  caller: Caller,
  address: SessionAddress,
): Promise<ExecuteSession> {
  const { store } = deps;
  if (address.kind === "pair") {
    const session = await store.session(caller.scope, address);
    if (session === null || !(await isOpenTo(deps, caller, session))) throw unknownPair();
    return session;
  }
  const { id, value } = await logicalByRef(deps, caller, address.ref);
  await noteRestored(store, caller.connection, id);
  const { bound } = value;
  const session = bound === null ? null : await store.session(caller.scope, bound);
  if (session === null) throw unknownSession(address.ref);
  return session;
}

const lost = (address: SessionAddress, reason: LossReason) =>
  address.kind === "pair"
    ? lostPair(reason)
    : fail("plasm-session-lost", lostText(address.ref, reason), { meta: { reason } });

/** The same as programs are read against; throws plasm-session-lost for one that lives no more. */
export async function viewUnrenewed(
  deps: SessionDeps,
  caller: Caller,
  address: SessionAddress,
): Promise<SessionView> {
  const session = await lookAt(deps, caller, address);
  if (session.expiresAt <= deps.store.now()) throw lost(address, "expired");
  const policy = await deps.policies.policyOf(caller.scope);
  const view = await viewSession(deps.store, deps.pinned, session, policy);
  if (view === null) throw lost(address, "catalog_gone");
  return view;
}
