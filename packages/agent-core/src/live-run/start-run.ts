import { commitId, type CommitPlace } from "../commit/mint.ts";
import type { CommitRecord } from "../records/commit-record.ts";
import type { RunRecord } from "../records/run-record.ts";
import type { LiveDeps } from "./live-deps.ts";
import type { RunPlace } from "./stored-effect-log.ts";

/** The run that a ref starts is named by it. */
export const runPlaceOf = (place: CommitPlace, ref: string): RunPlace => ({
  scope: place.scope,
  id: commitId(place.owner, ref),
});

/**
 * Consumes a ref and records its run in one transaction (OPS-3, OPS-39): of two racing runs one
 * starts. False if the ref was taken meanwhile.
 */
export async function startRun(
  deps: LiveDeps,
  place: CommitPlace,
  minted: CommitRecord,
  program: string,
): Promise<boolean> {
  const { id } = runPlaceOf(place, minted.ref);
  return deps.store.transaction(async (tx) => {
    const found = await tx.get("commit", place.scope, id);
    if (found === null || found.value.state !== "live") return false;
    const consumed: CommitRecord = { ...found.value, state: "consumed" };
    if (!(await tx.cas("commit", place.scope, id, found.version, consumed))) return false;
    const run: RunRecord = {
      ref: minted.ref,
      session: place.session,
      principal: place.principal,
      program,
      commit: minted.commit,
      state: "running",
      owner: deps.processId,
      leaseUntil: tx.now() + deps.leaseMs,
      startedAt: tx.now(),
      endedAt: null,
      answer: null,
    };
    return tx.insert("run", place.scope, id, run);
  });
}
