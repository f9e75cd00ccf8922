import type { Caller } from "../identity/caller.ts";
import type { OperationPlace } from "../ports.ts";
import type { OperationRecord } from "../records/operation-record.ts";
import { slotRef } from "../session/handles.ts";
import type { Located } from "../session/locate.ts";
import { viewSession } from "../session/session-view.ts";
import type { OperationDeps } from "./operation-deps.ts";

/** Whoever started an operation, without the connection of that call, acting for the session's user. */
export function callerOf(
  { scope }: OperationPlace,
  { subject }: OperationRecord,
  { view: { session } }: Located,
): Caller {
  const caller: Caller = { scope, subject, connection: null };
  const user = session.subject ?? subject;
  return user === null || user === subject ? caller : { ...caller, actingFor: user };
}

/** The slot under which a principal has an operation's session; null if none binds it (SESS-6). */
export async function refOf(
  deps: Pick<OperationDeps, "store">,
  principal: string,
  { holder, session }: OperationRecord,
): Promise<string | null> {
  if (holder === session.sessionId) return null;
  return slotRef(await deps.store.slotOf(principal, holder));
}

/**
 * The session of an operation as its program is read against, whether or not a call could still use
 * it; null if its catalogs are gone.
 */
export async function locateOperation(
  deps: OperationDeps,
  { scope }: OperationPlace,
  record: OperationRecord,
): Promise<Located | null> {
  const session = await deps.store.session(scope, record.session);
  if (session === null) return null;
  const policy = await deps.policies.policyOf(scope);
  const view = await viewSession(deps.store, deps.pinned, session, policy);
  if (view === null) return null;
  const ref = await refOf(deps, record.principal, record);
  const logical = ref === null ? null : await deps.store.get("logical", scope, record.holder);
  return { view, logical, ref, owner: record.holder, principal: record.principal };
}
