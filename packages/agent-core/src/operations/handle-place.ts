import type { HandlePlace } from "../artifacts/operation-handles.ts";
import { principalOf, type Caller } from "../identity/caller.ts";
import { slotOfRef, slotRef } from "../session/handles.ts";
import { locateOwner } from "../session/locate-owner.ts";
import type { SessionAddress } from "../session/locate.ts";
import type { SessionDeps } from "../session/session-deps.ts";

/**
 * Where the handles of a session are looked up, and under which slot this caller has it, without
 * renewing it (SESS-6, SESS-11). Throws plasm-unknown-session.
 */
export async function handlePlace(
  deps: SessionDeps,
  caller: Caller,
  address: SessionAddress,
): Promise<HandlePlace> {
  const owner = await locateOwner(deps, caller, address);
  const principal = principalOf(caller);
  const bound = address.kind === "ref" || owner !== address.sessionId;
  const named = address.kind === "ref" && slotOfRef(address.ref) !== null ? address.ref : null;
  const ref = bound ? (named ?? slotRef(await deps.store.slotOf(principal, owner))) : null;
  return { scope: caller.scope, owner, principal, ref };
}
