import { fail } from "../errors/failure.ts";
import type { Caller } from "../identity/caller.ts";
import { locate, type SessionAddress } from "../session/locate.ts";
import { attach, keepContents } from "./attach.ts";
import type { GraftDeps } from "./graft-deps.ts";
import { type GraftIndex, indexAt } from "./graft-index.ts";
import { graftPlace, refuseForbiddenGrafts, requireGraftUser } from "./graft-place.ts";
import { readGraftSet } from "./read-graft-set.ts";

/** How often a conflicting write is tried again before `plasm-busy` (SESS-34). */
const RETRIES = 5;

/** Another call changed the set in between. */
class Conflict extends Error {}

/**
 * Attaches a set to a live session for the caller (GRAFT-2), and answers the index as it is then. Throws Failure.
 */
export async function attachGrafts(
  deps: GraftDeps,
  caller: Caller,
  address: SessionAddress,
  set: unknown,
): Promise<GraftIndex> {
  await refuseForbiddenGrafts(deps, caller);
  const userId = await requireGraftUser(deps, caller);
  const given = readGraftSet(set);
  const { owner } = await locate(deps, caller, address);
  const place = graftPlace(caller.scope, owner, userId);
  const kept = await keepContents(deps.store, given);
  for (let n = 0; n <= RETRIES; n += 1) {
    try {
      await deps.store.transaction(async (tx) => {
        if (!(await attach(tx, place, kept, "caller"))) throw new Conflict();
      });
      return await indexAt(deps.store, place);
    } catch (thrown) {
      if (!(thrown instanceof Conflict)) throw thrown;
    }
  }
  throw fail("plasm-busy", "Other calls keep changing these grafts. Send the call again.");
}
