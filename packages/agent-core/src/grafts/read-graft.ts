import { fail, Failure } from "../errors/failure.ts";
import { named } from "../errors/named.ts";
import type { Caller } from "../identity/caller.ts";
import type { GraftRecord } from "../records/graft-record.ts";
import type { SessionAddress } from "../session/locate.ts";
import { locateOwner } from "../session/locate-owner.ts";
import type { GraftDeps } from "./graft-deps.ts";
import { graftKey, graftPlace, graftUser, refuseForbiddenGrafts } from "./graft-place.ts";

/** A graft with its content, byte for byte. */
export interface ReadGraft {
  readonly graft: GraftRecord;
  readonly bytes: Uint8Array;
}

const unknownGraft = (graftId: string) =>
  fail(
    "plasm-unknown-graft",
    `No graft ${named(graftId)}. The answer of plasm_context lists those there are.`,
  );

/** Whose the grafts are; null for a session that is not there, or is another's. */
async function ownerOf(
  deps: GraftDeps,
  caller: Caller,
  address: SessionAddress,
): Promise<string | null> {
  try {
    return await locateOwner(deps, caller, address);
  } catch (thrown) {
    if (thrown instanceof Failure && thrown.problem.code === "plasm-unknown-session") return null;
    throw thrown;
  }
}

/**
 * Reads one of the caller's grafts in a session, live or not (GRAFT-11). Unknown, foreign and swept ones answer
 * alike: throws plasm-unknown-graft, or plasm-policy-denied (GRAFT-13).
 */
export async function readGraft(
  deps: GraftDeps,
  caller: Caller,
  address: SessionAddress,
  graftId: string,
): Promise<ReadGraft> {
  await refuseForbiddenGrafts(deps, caller);
  const owner = await ownerOf(deps, caller, address);
  const userId = await graftUser(deps, caller);
  if (owner === null || userId === null) throw unknownGraft(graftId);
  const place = graftPlace(caller.scope, owner, userId);
  const found = await deps.store.get("graft", caller.scope, graftKey(place, graftId));
  if (found === null) throw unknownGraft(graftId);
  const { value: graft } = found;
  const bytes = await deps.store.getBlob(graft.sha256);
  if (bytes === null || bytes.length !== graft.bytes) {
    throw fail("plasm-internal", `Graft ${graftId} is damaged: its content is missing.`);
  }
  return { graft, bytes };
}
