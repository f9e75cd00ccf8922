import { renderPlan } from "@plasm/core";
import type { Answer } from "../answer.ts";
import { pageNumber, readCursor } from "../artifacts/cursors.ts";
import { findOperation } from "../artifacts/operation-handles.ts";
import type { Caller } from "../identity/caller.ts";
import { locate, programAccepted, type Located, type SessionAddress } from "../session/locate.ts";
import type { SessionDeps } from "../session/session-deps.ts";
import { compile, type Compiled } from "./compile.ts";
import { mintCommit } from "./mint.ts";
import { placeOf } from "./place.ts";
import { dryRunMeta } from "./plan-meta.ts";

const DOES = { page: "reads on", wait: "tells how it stands", cancel: "stops it" } as const;

/** A continuation planned dry does nothing but check its handle (OPS-4). */
async function checkHandle(
  deps: SessionDeps,
  caller: Caller,
  at: Located,
  compiled: Extract<Compiled, { kind: "continuation" }>,
): Promise<Answer> {
  const { op, handle } = compiled;
  if (op === "page") {
    await readCursor(deps.store, placeOf(caller, at), handle, pageNumber(handle, at.ref));
  } else {
    await findOperation(deps.store, { ...at, scope: caller.scope }, handle);
  }
  return {
    text: `plan ok · ${op}(${handle}) ${DOES[op]} when it is run`,
    meta: { dry_run: true, dry_verdict: "ok" },
  };
}

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
  const compiled = compile(program, at.view.exposure);
  await programAccepted(deps, caller, at);
  if (compiled.kind === "continuation") return checkHandle(deps, caller, at, compiled);
  const minted = await mintCommit(deps.store, placeOf(caller, at), compiled.plan);
  return {
    text: renderPlan(compiled.plan, minted.ref, { now: deps.store.now() }),
    meta: dryRunMeta(compiled.plan, minted),
  };
}
