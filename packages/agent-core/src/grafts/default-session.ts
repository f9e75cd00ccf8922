import { fail } from "../errors/failure.ts";
import { principalOf, type Caller } from "../identity/caller.ts";
import type { StoreOps } from "../ports.ts";
import { sessionsOf } from "../session/connections.ts";
import { slotRef } from "../session/handles.ts";

/** Refs that an error lists. */
const LISTED = 20;

/** The refs of a caller: those of its connection, without one those of its principal. */
async function refsOf(store: StoreOps, caller: Caller): Promise<readonly string[]> {
  const slots = await store.slots(principalOf(caller));
  if (caller.connection === null) return slots.map(({ slot }) => slotRef(slot));
  const known = await sessionsOf(store, caller.connection);
  return slots.filter(({ logicalId }) => known.has(logicalId)).map(({ slot }) => slotRef(slot));
}

/**
 * The session of a call that names none: the one there is (GRAFT-11). Throws plasm-bad-request, which lists
 * them if there are several.
 */
export async function onlySession(store: StoreOps, caller: Caller): Promise<string> {
  const refs = await refsOf(store, caller);
  const [only] = refs;
  if (only === undefined) {
    throw fail(
      "plasm-bad-request",
      "logical_session_ref is missing. Call plasm_context first with intent and seeds.",
    );
  }
  if (refs.length === 1) return only;
  const more = refs.length > LISTED ? ` +${refs.length - LISTED}` : "";
  throw fail(
    "plasm-bad-request",
    `logical_session_ref is missing, and there are several sessions: ${refs.slice(0, LISTED).join(", ")}${more}. Name one.`,
  );
}
