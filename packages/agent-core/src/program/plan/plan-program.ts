import { renderPlan } from "@plasm/core";
import { entryIdsOf } from "./plan-facts.ts";
import type { HandleOutcome, PlanOutcome } from "../../outcome.ts";
import type { Caller } from "../../identity/caller.ts";
import { locate, type ResolvedSession, programAccepted } from "../../session/locate.ts";
import type { SessionAddress } from "../../session/handles.ts";
import type { SessionDeps } from "../../session/session-deps.ts";
import { planUndo } from "./undo-plan.ts";
import { commitId, isOfSession, knownCommit, mintCommit, placeOf } from "./commits.ts";
import { changedFiles, type FileDeps, withBoundFiles } from "./bound-files.ts";
import { approvalRejected, blockedAlone, dryRunMeta } from "../gate/gate-failures.ts";
import { checkKept } from "../../artifacts/kept-values.ts";
import { findOperation, pageNumber, readCursor } from "../../artifacts/handles.ts";
import { fail, Failure } from "../../errors/problem.ts";
import type { Store } from "../../store-port.ts";
import type { CommitRecord } from "../../records/commits.ts";
import { preApprovalOf, preApprovedText } from "../gate/pre-approved.ts";
import { driftedLines, type DriftWatch } from "../run/drift.ts";
import { withCalledPrograms } from "../saved/called-programs.ts";
import { compile, type CompiledProgram } from "./compile.ts";
import {
  type AccountDeps,
  accountLines,
  accountsAmong,
  areSameAccounts,
  scopeLines,
  sessionAccounts,
} from "../../session/accounts.ts";

/**
 * Plans a program: parses, checks and prices it and mints its ref, without any request
 * (PLAN-001, OPS-2). Throws Failure.
 */
export async function dryRun(
  deps: SessionDeps & AccountDeps & { readonly drift: DriftWatch },
  caller: Caller,
  address: SessionAddress,
  program: unknown,
): Promise<PlanOutcome> {
  const at = sessionAccounts(deps, caller, await locate(deps, caller, address));
  const compiled = await compileFor(deps, caller, at, program, null);
  await programAccepted(deps, caller, at);
  if (compiled.kind === "continuation") return checkHandle(deps, caller, at, compiled);
  const minted = await mintCommit(deps.store, placeOf(caller, at), compiled.plan);
  const drifted = await deps.drift.under(caller.scope, compiled.plan, at.view.exposure);
  const approval = drifted.length > 0 ? null : await preApprovalOf(deps, caller, at, compiled.plan);
  return {
    kind: "planned",
    text: [
      renderPlan(compiled.plan, minted.ref, { now: deps.store.now() }),
      ...accountLines(minted.accounts),
      ...scopeLines(deps, caller, at, compiled.plan.summary.effects),
      ...(compiled.left ?? []),
      ...driftedLines(drifted),
      ...(drifted.length > 0 ? ["Somebody must approve it: run it to ask for that"] : []),
      ...(approval === null
        ? []
        : [`${preApprovedText(approval)}: run the program without plan_commit_ref`]),
    ].join("\n"),
    meta: dryRunMeta(compiled.plan, minted),
  };
}

const DOES = { page: "reads on", wait: "tells how it stands", cancel: "stops it" } as const;

/** A continuation planned dry does nothing but check its handle (OPS-4). */
export async function checkHandle(
  deps: SessionDeps,
  caller: Caller,
  at: ResolvedSession,
  compiled: Extract<CompiledProgram, { kind: "continuation" }>,
): Promise<HandleOutcome> {
  const { op, handle } = compiled;
  if (op === "page") {
    await readCursor(deps.store, placeOf(caller, at), handle, pageNumber(handle, at.ref));
  } else {
    await findOperation(deps.store, { ...at, scope: caller.scope }, handle);
  }
  return {
    kind: "handle",
    text: `plan ok · ${op}(${handle}) ${DOES[op]} when it is run`,
    meta: { dry_run: true, dry_verdict: "ok" },
  };
}

const nothingToRun = () =>
  fail(
    "plasm-bad-request",
    "program is missing: one text, statements by line; or plan_commit_ref, the pcN of a plan, to run what was planned.",
  );

/**
 * The record of a ref that came without a program, which stands for the one that was planned under it (OPS-3).
 * Throws plasm-bad-request where neither came, plasm-review-required where nothing is known of it.
 */
export async function plannedUnder(
  store: Store,
  caller: Caller,
  at: ResolvedSession,
  ref: string | null,
): Promise<CommitRecord> {
  if (ref === null) throw nothingToRun();
  const record = await knownCommit(store, caller, at, ref);
  if (record === null) throw blockedAlone("unknown", ref);
  return record;
}

/**
 * What was planned under a ref, through the same checks as a program that is sent; it is that plan, or nothing
 * runs, whatever its verdict and with `force`, too (OPS-4, PLAN-032). In a session that was opened anew its
 * symbols may mean nothing: then it is another plan. A rejection is final (OPS-36).
 */
export async function compilePlanned(
  deps: FileDeps,
  caller: Caller,
  record: CommitRecord,
  at: ResolvedSession,
): Promise<CompiledProgram> {
  const { ref, program, state, commit } = record;
  if (state === "rejected") throw approvalRejected();
  if (program === undefined) {
    throw fail("plasm-bad-request", `The program of ${ref} was not kept. Send it with its ref.`);
  }
  const { store } = deps;
  const compiled = await compileAgain(deps, caller, program, record, at);
  if (compiled?.kind !== "plan" || compiled.plan.commit !== commit) {
    const [changed] = compiled?.kind === "plan" ? changedFiles(record, compiled.plan) : [];
    throw blockedAlone("mismatch", ref, changed);
  }
  await checkKept(store, caller, at, compiled.plan.nodes);
  const accounts = accountsAmong(at.accounts, entryIdsOf(compiled.plan));
  if (areSameAccounts(record.accounts, accounts)) return compiled;
  throw blockedAlone("mismatch", ref, `${ref} was planned for another account, or for none`);
}

/** Null where it has errors in another session than its own. */
async function compileAgain(
  deps: FileDeps,
  caller: Caller,
  program: string,
  record: CommitRecord,
  at: ResolvedSession,
): Promise<CompiledProgram | null> {
  try {
    const compiled = compile(program, at.view);
    return compiled.kind === "undo"
      ? await planUndo(deps.store, caller.scope, at, compiled, record.ref)
      : await withContents(deps, caller, at, compiled);
  } catch (thrown) {
    if (thrown instanceof Failure && !isOfSession(record, at)) return null;
    throw thrown;
  }
}

/** A program with the content of the files that its plan names (VAL-08). */
async function withContents(
  deps: FileDeps,
  caller: Caller,
  at: ResolvedSession,
  compiled: CompiledProgram,
): Promise<CompiledProgram> {
  if (compiled.kind !== "plan") return compiled;
  return { ...compiled, plan: await withBoundFiles(deps, caller, at, compiled.plan) };
}

/** The program that is kept of a ref, be it still to run or run; null where none is. */
async function keptProgram(
  store: Store,
  caller: Caller,
  at: ResolvedSession,
  ref: string,
): Promise<string | null> {
  const record = await knownCommit(store, caller, at, ref);
  if (record === null || record.program !== undefined) return record?.program ?? null;
  const found = await store.get("operation", caller.scope, commitId(at.owner, ref));
  return found?.value.program ?? null;
}

/**
 * The same for a caller, `undo(pcN)` included, whose plan is of what that plan has done (UNDO-05). With the ref of an
 * `undo` of it that was planned before, it is that one: what it has taken back itself does not make it another.
 */
export async function compileFor(
  deps: SessionDeps,
  caller: Caller,
  at: ResolvedSession,
  program: unknown,
  ref: string | null,
): Promise<CompiledProgram> {
  const { store } = deps;
  const compiled = compile(await withCalledPrograms(deps, caller, at.view, program), at.view);
  if (compiled.kind === "plan") await checkKept(store, caller, at, compiled.plan.nodes);
  if (compiled.kind !== "undo") return withContents(deps, caller, at, compiled);
  const kept = ref === null ? null : await keptProgram(store, caller, at, ref);
  const known = kept === null ? null : compile(kept, at.view);
  const isKnown =
    known?.kind === "undo" &&
    known.handle === compiled.handle &&
    (compiled.effects.length === 0 || known.effects.join() === compiled.effects.join());
  return isKnown
    ? planUndo(store, caller.scope, at, known, ref)
    : planUndo(store, caller.scope, at, compiled, null);
}
