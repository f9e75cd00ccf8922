import { randomUUID } from "node:crypto";
import type { Plan } from "@plasm/core";
import { commitId, mayStart, type CommitPlace } from "../commit/mint.ts";
import type { CommitRecord } from "../records/commit-record.ts";
import type { RunEffect } from "../records/run-effect.ts";
import type { RunRecord } from "../records/run-record.ts";
import type { LiveDeps } from "./live-deps.ts";
import type { OwnedRun, RunPlace } from "./stored-effect-log.ts";
import { noteStarted } from "./unfinished-runs.ts";

/** The run that a ref starts is named by it. */
export const runPlaceOf = (place: CommitPlace, ref: string): RunPlace => ({
  scope: place.scope,
  id: commitId(place.owner, ref),
});

/**
 * Consumes a ref and records its run in one transaction (OPS-3, OPS-39): of two racing runs one
 * starts. Null if the ref was taken meanwhile.
 */
export async function startRun(
  deps: LiveDeps,
  place: CommitPlace,
  minted: CommitRecord,
  plan: Plan,
  effects: readonly RunEffect[],
): Promise<OwnedRun | null> {
  const owned = { ...runPlaceOf(place, minted.ref), owner: randomUUID() };
  const { scope, id } = owned;
  const started = await deps.store.transaction(async (tx) => {
    const found = await tx.get("commit", scope, id);
    if (found === null || !mayStart(found.value)) return false;
    const consumed: CommitRecord = { ...found.value, state: "consumed" };
    if (!(await tx.cas("commit", scope, id, found.version, consumed))) return false;
    const run: RunRecord = {
      ref: minted.ref,
      session: place.session,
      principal: place.principal,
      program: plan.source,
      commit: minted.commit,
      effects,
      state: "running",
      owner: owned.owner,
      leaseUntil: tx.now() + deps.leaseMs,
      startedAt: tx.now(),
      endedAt: null,
      answer: null,
    };
    if (!(await tx.insert("run", scope, id, run))) throw new Error("A ref started two runs");
    await noteStarted(tx, owned);
    return true;
  });
  return started ? owned : null;
}
