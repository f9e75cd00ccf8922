import type { Caller } from "../identity/caller.ts";
import { noteRestored } from "./connections.ts";
import { unknownPair } from "./handles.ts";
import { isOpenTo } from "./live-session.ts";
import { logicalByRef } from "./logical-by-ref.ts";
import type { SessionAddress } from "./locate.ts";
import type { SessionDeps } from "./session-deps.ts";

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
