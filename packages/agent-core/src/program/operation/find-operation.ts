import { type Caller, principalOf } from "../../identity/caller.ts";
import type { OperationKey } from "../../ports.ts";
import type { Stored, StoreOps } from "../../store-port.ts";
import type { OperationRecord, OperationState } from "../../records/operations.ts";
import { type SessionAddress, slotOfRef, slotRef } from "../../session/handles.ts";
import { type ResolvedSession, locateOwner } from "../../session/locate.ts";
import { viewSession } from "../../session/session-view.ts";
import type { OperationDeps } from "../deps.ts";
import type { HandleRef } from "../../artifacts/handles.ts";
import type { SessionDeps } from "../../session/session-deps.ts";

/** Whoever started an operation, without the connection of that call, acting for the session's user. */
export function callerOf(
  { scope }: OperationKey,
  { subject, requestId }: OperationRecord,
  { view: { session } }: ResolvedSession,
): Caller {
  const request = requestId === undefined ? {} : { requestId };
  const caller: Caller = { scope, subject, connection: null, ...request };
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
  { scope }: OperationKey,
  record: OperationRecord,
): Promise<ResolvedSession | null> {
  const session = await deps.store.session(scope, record.session);
  if (session === null) return null;
  const policy = await deps.policies.policyOf(scope);
  const view = await viewSession(deps.store, deps.pinned, session, policy);
  if (view === null) return null;
  const ref = await refOf(deps, record.principal, record);
  const logical = ref === null ? null : await deps.store.get("logical", scope, record.holder);
  return { view, logical, ref, owner: record.holder, principal: record.principal };
}

/**
 * Where the handles of a session are looked up, and under which slot this caller has it, without
 * renewing it (SESS-6, SESS-11). Throws plasm-unknown-session.
 */
export async function handlePlace(
  deps: SessionDeps,
  caller: Caller,
  address: SessionAddress,
): Promise<HandleRef> {
  const owner = await locateOwner(deps, caller, address);
  const principal = principalOf(caller);
  const bound = address.kind === "ref" || owner !== address.sessionId;
  const named = address.kind === "ref" && slotOfRef(address.ref) !== null ? address.ref : null;
  const ref = bound ? (named ?? slotRef(await deps.store.slotOf(principal, owner))) : null;
  return { scope: caller.scope, owner, principal, ref };
}

/** A lease that is renewed and an event that is told move a record on; nothing else does for long. */
const ATTEMPTS = 50;

export const hasEnded = (state: OperationState): boolean =>
  state !== "accepted" && state !== "running";

/**
 * Changes an operation by compare-and-set (OPS-12): `next` gives what is to stand there, or null to
 * leave it. Gives what stands there afterwards; null if there is no such operation. Who knows what stood
 * there last gives that as `known` and saves a look, unless it has changed.
 */
export async function changeOperation(
  store: StoreOps,
  { scope, id }: OperationKey,
  next: (record: OperationRecord) => OperationRecord | null,
  known: Stored<OperationRecord> | null = null,
): Promise<Stored<OperationRecord> | null> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const guessed = attempt === 0 ? known : null;
    const found = guessed ?? (await store.get("operation", scope, id));
    if (found === null) return null;
    const value = next(found.value);
    if (value === null) return found;
    if (await store.cas("operation", scope, id, found.version, value)) {
      return { id, version: found.version + 1, value };
    }
  }
  throw new Error("The record of an operation kept changing");
}
