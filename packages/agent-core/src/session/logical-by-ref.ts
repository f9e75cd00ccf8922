import { principalOf, type Caller } from "../identity/caller.ts";
import type { Stored } from "../ports.ts";
import type { LogicalSession } from "../records/logical-session.ts";
import { isUuid, slotOfRef, unknownSession } from "./handles.ts";
import { isOpenTo } from "./live-session.ts";
import type { SessionDeps } from "./session-deps.ts";

/** The logical session that a slot of this principal names, or the uuid of one that it has opened (SESS-3, SESS-38). */
export async function logicalByRef(
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
