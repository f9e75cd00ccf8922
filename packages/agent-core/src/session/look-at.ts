import { fail } from "../errors/failure.ts";
import type { Caller } from "../identity/caller.ts";
import type { ExecuteSession } from "../records/execute-session.ts";
import type { LossReason } from "../records/logical-session.ts";
import { noteRestored } from "./connections.ts";
import { lostPair, unknownPair, unknownSession } from "./handles.ts";
import { isOpenTo } from "./live-session.ts";
import type { SessionAddress } from "./locate.ts";
import { logicalByRef } from "./logical-by-ref.ts";
import { lostText } from "./notices.ts";
import type { SessionDeps } from "./session-deps.ts";
import { viewSession, type SessionView } from "./session-view.ts";

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
