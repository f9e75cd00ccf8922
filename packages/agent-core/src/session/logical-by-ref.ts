import { principalOf, type Caller } from "../identity/caller.ts";
import type { Stored } from "../ports.ts";
import type { LogicalSession } from "../records/logical-session.ts";
import { isUuid, slotOfRef, unknownSession } from "./handles.ts";
import type { SessionDeps } from "./session-deps.ts";

/** The logical session a slot of this principal, or a uuid of its scope, names (SESS-3, SESS-38). */
export async function logicalByRef(
  deps: SessionDeps,
  caller: Caller,
  ref: string,
): Promise<Stored<LogicalSession>> {
  const slot = slotOfRef(ref);
  const uuid = slot === null ? ref : await deps.store.logicalAtSlot(principalOf(caller), slot);
  if (uuid === null || !isUuid(uuid)) throw unknownSession(ref);
  const logical = await deps.store.get("logical", caller.scope, uuid);
  const { principal } = deps.delegation(caller);
  if (logical === null || (logical.value.subject ?? null) !== principal) throw unknownSession(ref);
  return logical;
}
