import { renderPlan } from "@plasm/core";
import type { Answer } from "../answer.ts";
import type { Caller } from "../identity/caller.ts";
import { locate, programAccepted, type SessionAddress } from "../session/locate.ts";
import type { SessionDeps } from "../session/session-deps.ts";
import { checkHandle } from "./check-handle.ts";
import { compile } from "./compile.ts";
import { mintCommit } from "./mint.ts";
import { placeOf } from "./place.ts";
import { dryRunMeta } from "./plan-meta.ts";

/**
 * Plans a program: parses, checks and prices it and mints its ref, without any request
 * (PLAN-001, OPS-2). Throws Failure.
 */
export async function dryRun(
  deps: SessionDeps,
  caller: Caller,
  address: SessionAddress,
  program: unknown,
): Promise<Answer> {
  const at = await locate(deps, caller, address);
  const compiled = compile(program, at.view);
  await programAccepted(deps, caller, at);
  if (compiled.kind === "continuation") return checkHandle(deps, caller, at, compiled);
  const minted = await mintCommit(deps.store, placeOf(caller, at), compiled.plan);
  return {
    text: renderPlan(compiled.plan, minted.ref, { now: deps.store.now() }),
    meta: dryRunMeta(compiled.plan, minted),
  };
}
