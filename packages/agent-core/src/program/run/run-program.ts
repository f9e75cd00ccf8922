import { setImmediate as roundOfLoop } from "node:timers/promises";
import type { Plan, ReadBudget } from "@plasm/core";
import { type Limits, type RunMemory, runPlan } from "@plasm/runtime";
import type { LiveOutcome } from "../../outcome.ts";
import { findOperation } from "../../artifacts/handles.ts";
import type { CompiledProgram } from "../plan/compile.ts";
import { compileFor, compilePlanned, plannedUnder } from "../plan/plan-program.ts";
import { type GateDecision, passGate } from "../gate/pass-gate.ts";
import { placeOf, prolongCommit } from "../plan/commits.ts";
import { refuseContinuing } from "../../artifacts/still-allowed.ts";
import { fail } from "../../errors/problem.ts";
import type { Caller } from "../../identity/caller.ts";
import type { CommitRecord } from "../../records/commits.ts";
import type { OperationStep } from "../../records/operations.ts";
import { secretsIn, sessionAccounts } from "../../session/accounts.ts";
import { locate, type ResolvedSession, programAccepted } from "../../session/locate.ts";
import type { SessionAddress } from "../../session/handles.ts";
import { answerRun } from "./answer-run.ts";
import { checkArguments, type RunArguments, type RunProgress } from "./run-request.ts";
import { continuePage } from "./continue-page.ts";
import { admitRun, collectDefects, limitsOf, runContext, withRunMemory } from "./run-context.ts";
import { entryIdsOf, nameNodes } from "../plan/plan-facts.ts";
import { openMarks, type RunMarks } from "../effects/effect-marks.ts";
import { stopCause } from "./failed-run.ts";
import { type Beginning, operationOfRef } from "../operation/begin-operation.ts";
import { cancelOperation, waitOperation } from "../operation/wait-operation.ts";
import { acceptRun, runWithEffects } from "../operation/start-operation.ts";
import { withNote } from "../operation/operation-end.ts";
import { stepLine } from "../operation/status.ts";
import type { OperationDeps } from "../deps.ts";
import { repeatRun } from "../operation/repeat-run.ts";
import { StepWatch } from "../operation/progress.ts";

/** Where a run stops whose cost nobody has accepted; null where its budgets are those of any run (PLAN-054). */
const stopOf = ({ summary }: Plan, reviewed: boolean): ReadBudget | null =>
  reviewed ? null : (summary.stops_at ?? null);

/** OPS-9: whether nobody waits for it. What stops soon is waited for. */
function isDetached(
  { summary }: Plan,
  wait: boolean | undefined,
  stop: ReadBudget | null,
): boolean {
  if (wait !== undefined) return !wait;
  return stop === null && summary.reasons.some(({ severity }) => severity === "expensive");
}

/** Nobody's patience bounds a run that nobody waits for; policy may (RUN-130, PLAN-050). */
function limitsFor(
  deps: OperationDeps,
  at: ResolvedSession,
  detached: boolean,
  stop: ReadBudget | null,
): Limits {
  const limits = limitsOf(deps, at);
  const byPolicy = at.view.exposure.policy.budgets?.wall !== undefined;
  const wall = detached && !byPolicy ? deps.asyncWallSeconds : limits.wall;
  if (stop === null) return { ...limits, wall };
  const requests = Math.min(limits.requests, stop.requests);
  return { ...limits, wall, requests, rows: Math.min(limits.rows, stop.rows) };
}

const progressOf = (step: OperationStep): RunProgress => ({
  k: step.k,
  of: step.of,
  line: stepLine(step),
});

/** Does work when requests that were made before have left: they do so in the next round of the event loop. */
async function beside<T>(work: () => Promise<T>): Promise<T> {
  await roundOfLoop();
  await roundOfLoop();
  return work();
}

/** What a run of reads goes by. */
interface ReadsBy {
  readonly mint: () => Promise<CommitRecord>;
  readonly marks: Promise<RunMarks>;
  readonly memory: RunMemory;
}

/** Runs a plan that only reads. Its ref is for the answer alone, so that requests do not wait for it. */
async function runReads(
  deps: OperationDeps,
  { caller, at, plan, limits }: Omit<Beginning, "minted">,
  { mint, marks: looked, memory }: ReadsBy,
  request: RunArguments,
): Promise<LiveOutcome> {
  const defects = collectDefects(deps);
  const { signal, onProgress: heard } = request;
  const watch = new StepWatch(plan);
  const context = runContext(deps, caller, at, defects, {
    limits,
    memory,
    ...(signal === undefined ? {} : { signal }),
    ...(heard === undefined ? {} : { onProgress: (event) => heard(progressOf(watch.note(event))) }),
  });
  const marks = await looked;
  const minting = beside(mint);
  // What it fails with is told when the run is over.
  minting.catch(() => undefined);
  const outcome = await runPlan({ ...context, plan, nameOf: nameNodes(plan) });
  const minted = await minting;
  const cause = stopCause(signal);
  const id = context.runId;
  return answerRun(deps, caller, at, {
    plan,
    outcome,
    id,
    minted,
    limits,
    request,
    defects,
    marks,
    cause,
  });
}

async function runContinuation(
  deps: OperationDeps,
  caller: Caller,
  at: ResolvedSession,
  compiled: Extract<CompiledProgram, { kind: "continuation" }>,
  request: RunArguments & { readonly wait: boolean | undefined },
): Promise<LiveOutcome> {
  const { op, handle } = compiled;
  const place = { ...at, scope: caller.scope };
  switch (op) {
    case "page":
      await admitRun(deps, caller, at, [], {});
      return continuePage(deps, caller, at, compiled, request);
    case "wait": {
      const found = await findOperation(deps.store, place, handle);
      const { program, session, digests, uses } = found.value;
      refuseContinuing(at, { program, session, entryIds: Object.keys(digests), uses });
      return waitOperation(deps, place, handle, found, request);
    }
    case "cancel":
      return cancelOperation(deps, place, handle, request.signal);
  }
}

async function runPassed(
  deps: OperationDeps,
  begun: Omit<Beginning, "minted">,
  { mint, fresh }: Extract<GateDecision, { kind: "run" }>,
  request: Patience & RunArguments & { readonly marks: Promise<RunMarks> | null },
): Promise<LiveOutcome> {
  const { signal, onProgress, wait, marks } = request;
  if (!begun.detached && marks !== null) {
    return withRunMemory(deps, begun.caller.scope, (memory) =>
      runReads(deps, begun, { mint, marks, memory }, request),
    );
  }
  const beginning: Beginning = { ...begun, minted: await mint() };
  const options = { wait, fresh, signal, ...(onProgress === undefined ? {} : { onProgress }) };
  return beginning.detached
    ? acceptRun(deps, beginning, options)
    : runWithEffects(deps, beginning, options);
}

/** How long a caller waits, and until when. */
type Patience = Pick<RunArguments, "signal"> & { readonly wait: boolean | undefined };

/**
 * A consumed ref that came without a program, sent again: there is nothing to compile, which a program that is
 * sent must be, so the policy of now judges it as it does a `wait(h)` (OPS-3, SURF-25).
 */
async function repeatAlone(
  deps: OperationDeps,
  caller: Caller,
  at: ResolvedSession,
  { ref }: CommitRecord,
  patience: Patience,
): Promise<LiveOutcome> {
  const place = operationOfRef(placeOf(caller, at), ref);
  const found = await deps.store.get("operation", place.scope, place.id);
  if (found !== null) {
    const { program, session, digests, uses } = found.value;
    refuseContinuing(at, { program, session, entryIds: Object.keys(digests), uses });
  }
  return repeatRun(deps, place, { ref, slot: at.ref, ...patience });
}

/**
 * Runs a program live: the same checks as a dry run, then the gate, then exactly that plan, now or by
 * itself (OPS-4, OPS-7, OPS-9, PLAN-001). A ref without a program runs the one that was planned under it. A
 * continuation goes on where its handle says. Throws Failure.
 */
export async function runProgram(
  deps: OperationDeps,
  caller: Caller,
  address: SessionAddress,
  request: RunArguments,
): Promise<LiveOutcome> {
  const at = sessionAccounts(deps, caller, await locate(deps, caller, address));
  const given = checkArguments(request);
  const { wait } = given;
  const patience = { wait, ...(request.signal === undefined ? {} : { signal: request.signal }) };
  const alone = request.program === undefined;
  const planned = alone ? await plannedUnder(deps.store, caller, at, given.ref) : null;
  if (planned?.state === "consumed") return repeatAlone(deps, caller, at, planned, patience);
  const compiled =
    planned === null
      ? await compileFor(deps, caller, at, request.program, given.ref)
      : await compilePlanned(deps, caller, planned, at);
  await programAccepted(deps, caller, at);
  if (compiled.kind === "continuation") {
    return runContinuation(deps, caller, at, compiled, { ...request, wait });
  }
  const { plan, left = [] } = compiled;
  const { scheduled } = request;
  const gated = { ...given, plan, planned, left, scheduled: scheduled !== undefined };
  // Asked for with what the gate looks up; older marks than those of the first request only have more read again.
  const readsAlone = plan.summary.effects.length === 0;
  const marks = readsAlone ? openMarks(deps.store, placeOf(caller, at), plan) : null;
  marks?.catch(() => undefined);
  const passed = await passGate(deps, caller, at, gated);
  if (passed.kind === "repeat") {
    const { ref } = passed;
    return repeatRun(deps, operationOfRef(placeOf(caller, at), ref), {
      ref,
      slot: at.ref,
      ...patience,
    });
  }
  const { note } = passed;
  await requireSignIns(deps, caller, at, plan, passed.mint);
  const effects = plan.summary.effects.length;
  await admitRun(deps, caller, at, entryIdsOf(plan), { runs: 1, effects });
  const stop = stopOf(plan, passed.reviewed);
  const detached = isDetached(plan, wait, stop);
  const { perNode } = passed;
  const limits = {
    ...limitsFor(deps, at, detached, stop),
    ...(perNode === undefined ? {} : { effects: perNode }),
  };
  const complete = request.complete ?? false;
  const begins = scheduled === undefined ? {} : { begins: scheduled.begins };
  const begun = { caller, at, plan, limits, complete, detached, ...begins };
  const answer = await runPassed(deps, begun, passed, { ...request, wait, marks });
  return note === null ? answer : withNote(answer, note);
}

/**
 * Ends a run of which a catalog waits for a person to sign in: before anything is sent, and before its ref is consumed,
 * so that the same ref runs afterwards, as long as the person may come back (RUN-128). Where an account must be named none
 * is minted: what is planned then is for that account, and of another ref (RUN-129). Throws plasm-upstream-auth.
 */
async function requireSignIns(
  deps: OperationDeps,
  caller: Caller,
  at: ResolvedSession,
  plan: Plan,
  mint: () => Promise<CommitRecord>,
): Promise<void> {
  const { signIn } = deps;
  if (signIn === null) return;
  const { credentials } = secretsIn(deps, caller, at);
  const { catalogs } = at.view.exposure;
  const asked = await Promise.all(
    entryIdsOf(plan).map(async (entryId) => {
      const catalog = catalogs.get(entryId);
      const effects = plan.summary.effects.filter((one) => one.catalog === entryId);
      const names = effects.map(({ capability }) => capability);
      return catalog === undefined ? null : signIn.invite(catalog, caller, credentials, names);
    }),
  );
  const found = asked.filter((one) => one !== null);
  if (found.length === 0) return;
  const lines = found.map((one) => one.text);
  if (found.some(({ kind }) => kind === "choose"))
    throw fail("plasm-upstream-auth", ["not run: nothing was sent", ...lines].join("\n"));
  const { ref } = await mint();
  await prolongCommit(deps.store, placeOf(caller, at), ref, signIn.lastsMs);
  const text = ["not run: nothing was sent", ...lines, `Then run with plan_commit_ref=${ref}`];
  const links = found.flatMap(({ link }) => link ?? []);
  // Who can sign in to some only is told in words what the others need.
  const signIns = links.length === found.length ? links : [];
  throw fail("plasm-upstream-auth", text.join("\n"), { signIns });
}
