import { fail } from "../errors/failure.ts";
import { principalOf, type Caller } from "../identity/caller.ts";
import type { Stored } from "../ports.ts";
import type { SessionKey } from "../records/execute-session.ts";
import type { LogicalSession, LossReason } from "../records/logical-session.ts";
import { connectionState, noteRestored } from "./connections.ts";
import { lostPair, slotOfRef, slotRef, unknownPair, unknownSession } from "./handles.ts";
import { logicalByRef } from "./logical-by-ref.ts";
import {
  isOwnSession,
  lossOf,
  lossOfEarlier,
  recordLoss,
  recordLossOfPair,
  reviveSession,
  withLoss,
} from "./live-session.ts";
import { lostText } from "./notices.ts";
import type { SessionDeps } from "./session-deps.ts";
import type { SessionView } from "./session-view.ts";

/** How a call names its session: by ref (or uuid), or by the pair of SESS-9. */
export type SessionAddress =
  | { readonly kind: "ref"; readonly ref: string }
  | ({ readonly kind: "pair" } & SessionKey);

/** A live session as its caller sees it. */
export interface Located {
  readonly view: SessionView;
  readonly logical: Stored<LogicalSession> | null;
  /** `s0`; null for an unbound session, whose handles work on its own routes only (OPS-17) */
  readonly ref: string | null;
  /** whose counters and handles these are: the logical session, else the execute session (SESS-6) */
  readonly owner: string;
  readonly principal: string;
}

const sessionLost = (ref: string, reason: LossReason) =>
  fail("plasm-session-lost", lostText(ref, reason), { meta: { reason } });

async function logicalOf(
  deps: SessionDeps,
  caller: Caller,
  ref: string,
): Promise<{ readonly logical: Stored<LogicalSession>; readonly slot: number }> {
  const slot = slotOfRef(ref);
  const logical = await logicalByRef(deps, caller, ref);
  return { logical, slot: slot ?? (await deps.store.slotOf(principalOf(caller), logical.id)) };
}

async function locateByRef(deps: SessionDeps, caller: Caller, text: string): Promise<Located> {
  const { logical, slot } = await logicalOf(deps, caller, text);
  const ref = slotRef(slot);
  const bound = logical.value.bound;
  if (bound === null) throw unknownSession(text);
  const policy = await deps.policies.policyOf(caller.scope);
  const found = await reviveSession(deps, caller.scope, bound, policy);
  if (!found.live) {
    const loss = lossOf(logical.value, bound, found.reason);
    await recordLoss(deps, caller.scope, logical, loss);
    throw sessionLost(ref, loss.reason);
  }
  const { store } = deps;
  const { sessionId } = found.view.session;
  const waves = found.view.waves.length;
  const held = await connectionState(store, caller.connection, logical.id, sessionId, waves);
  if (held.stale !== null) throw sessionLost(ref, lossOfEarlier(logical.value, held.stale).reason);
  if (!held.isKnown) await noteRestored(store, caller.connection, logical.id);
  return { view: found.view, logical, ref, owner: logical.id, principal: principalOf(caller) };
}

async function locateByPair(deps: SessionDeps, caller: Caller, key: SessionKey): Promise<Located> {
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
): Promise<Located> =>
  address.kind === "ref"
    ? locateByRef(deps, caller, address.ref)
    : locateByPair(deps, caller, address);

/** A program was accepted in the session that replaced a lost one: the loss is done with (SESS-25). */
export async function programAccepted(
  deps: SessionDeps,
  caller: Caller,
  at: Located,
): Promise<void> {
  const logical = at.logical;
  if (logical === null || logical.value.loss?.reported !== true) return;
  const next = withLoss(logical.value, null);
  await deps.store.cas("logical", caller.scope, logical.id, logical.version, next);
}
