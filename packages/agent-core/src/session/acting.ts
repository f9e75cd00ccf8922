import { mayActFor, principalOf, type Caller } from "../identity/caller.ts";
import type { StoreOps } from "../ports.ts";
import { isUuid, slotOfRef } from "./handles.ts";
import type { SessionAddress } from "./locate.ts";

/** The user a session is of, where calls are delegated; null for none, and for no session of this scope. */
async function userOfSession(
  store: StoreOps,
  caller: Caller,
  address: SessionAddress,
): Promise<string | null> {
  if (address.kind === "pair") {
    return (await store.session(caller.scope, address))?.subject ?? null;
  }
  const slot = slotOfRef(address.ref);
  const uuid = slot === null ? address.ref : await store.logicalAtSlot(principalOf(caller), slot);
  if (uuid === null || !isUuid(uuid)) return null;
  return (await store.get("logical", caller.scope, uuid))?.value.subject ?? null;
}

/**
 * A caller as it acts in a session that it names: for the user whose session that is, if its credential
 * still lists that user (SURF-24). For any other session it stays as it is, and finds nothing there (SESS-38).
 */
export async function actingIn(
  store: StoreOps,
  caller: Caller,
  address: SessionAddress,
): Promise<Caller> {
  const { subject, service = false, actAs = [] } = caller;
  if (actAs.length === 0) return caller;
  const user = await userOfSession(store, caller, address);
  if (user === null || !mayActFor(caller, user)) return caller;
  return user === subject && !service ? caller : { ...caller, actingFor: user };
}
