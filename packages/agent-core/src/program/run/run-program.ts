import { setImmediate as roundOfLoop } from "node:timers/promises";
import { type Exposure, type Plan, type ReadBudget, renderReasons } from "@plasm/core";
import { type Approver, approverOf } from "@plasm/core/internal";
import { type Limits, type RunMemory, runPlan } from "@plasm/runtime";
import type { LiveOutcome } from "../../outcome.ts";
import { approvalRejected, approvalRequired, blockedFailure } from "../gate/gate-failures.ts";
import { askOperator, isRejected } from "../gate/ask-operator.ts";
import { preApprovalOf, preApprovedText } from "../gate/pre-approved.ts";
import { findOperation } from "../../artifacts/handles.ts";
import { changedFiles } from "../plan/bound-files.ts";
import type { CompiledProgram } from "../plan/compile.ts";
import { compileFor, compilePlanned, plannedUnder } from "../plan/plan-program.ts";
import { gate, type GateOutcome, type PolicyLevel } from "../gate/gate.ts";
import { judgedCommit, knownCommit, mintCommit, placeOf, prolongCommit } from "../plan/commits.ts";
import { refuseContinuing } from "../../artifacts/still-allowed.ts";
import { fail } from "../../errors/problem.ts";
import type { Caller } from "../../identity/caller.ts";
import { insufficientScope } from "../../identity/token-claims.ts";
import type { CommitRecord } from "../../records/commits.ts";
import type { OperationStep } from "../../records/operations.ts";
import { accountLines, scopeLines, secretsIn, sessionAccounts } from "../../session/accounts.ts";
import { locate, type ResolvedSession, programAccepted } from "../../session/locate.ts";
import type { SessionAddress } from "../../session/handles.ts";
import { answerRun } from "./answer-run.ts";
import {
  checkArguments,
  type CheckedArguments,
  type RunArguments,
  type RunProgress,
} from "./run-request.ts";
import { continuePage } from "./continue-page.ts";
import { admitRun, collectDefects, limitsOf, runContext, withRunMemory } from "./run-context.ts";
import { entryIdsOf, nameNodes } from "../plan/plan-facts.ts";
import { openMarks } from "../effects/effect-marks.ts";
import { stopCause } from "./failed-run.ts";
import { type Beginning, operationOfRef } from "../operation/begin-operation.ts";
import { cancelOperation, waitOperation } from "../operation/wait-operation.ts";
import { acceptRun, runWithEffects } from "../operation/start-operation.ts";
import { withNote } from "../operation/operation-end.ts";
import { stepLine } from "../operation/status.ts";
import { driftedLines } from "./drift.ts";
import type { OperationDeps } from "../deps.ts";
import { repeatRun } from "../operation/repeat-run.ts";
import { StepWatch } from "../operation/progress.ts";

type GateDecision =
  | {
      readonly kind: "run";
      readonly note: string | null;
      /** gives the ref that it runs under */
      readonly mint: () => Promise<CommitRecord>;
      /** whether any other ref would do, since `force` alone let it run */
      readonly fresh: boolean;
      /** whether what it costs was accepted */
      readonly reviewed: boolean;
      /** most effects of each node, where policy alone let it run (SAV-16) */
      readonly perNode?: number;
    }
  | { readonly kind: "repeat"; readonly ref: string };

/** A plan at the gate, with what came along: `planned` is the ref's record where it came without a program. */
interface GateInput extends CheckedArguments {
  readonly plan: Plan;
  readonly planned: CommitRecord | null;
  /** what an `undo` does not take back, in words */
  readonly left: readonly string[];
  /** nobody is there to review it: effects wait for a person, and the cost of reads was accepted with the schedule (SAV-20) */
  readonly scheduled: boolean;
}

async function passGate(
  deps: OperationDeps,
  caller: Caller,
  at: ResolvedSession,
  { plan, planned, ref, force, left, scheduled }: GateInput,
): Promise<GateDecision> {
  const known = planned ?? (ref === null ? null : await knownCommit(deps.store, caller, at, ref));
  const byClient = mayClientApprove(plan, at.view.exposure);
  const record = withRightApproval(judgedCommit(known, at, plan), byClient);
  const place = placeOf(caller, at);
  const { policy } = at.view.exposure;
  const { commit, summary } = plan;
  const { verdict } = summary;
  const drifted = await deps.drift.under(place.scope, plan, at.view.exposure);
  const outcome: GateOutcome = gate({
    level: scheduled || drifted.length > 0 ? "operator" : levelOf(plan, at.view.exposure),
    hashRejected: verdict === "review" && (await isRejected(deps.store, place, commit)),
    forceAllowed: policy.force !== false,
    now: deps.store.now(),
    verdict,
    commit,
    ref,
    record,
    force,
  });
  // What has run already is told again to whoever may read it.
  if (outcome.kind !== "repeat") refuseEffects(caller, plan);
  const mint = () => mintCommit(deps.store, place, plan);
  if (scheduled && plan.summary.effects.length === 0) {
    return { kind: "run", note: null, mint, fresh: true, reviewed: true };
  }
  const held = outcome.kind === "approval_required" || (outcome.kind === "blocked" && ref === null);
  const mayPass = held && ref === null && drifted.length === 0;
  const approval = mayPass ? await preApprovalOf(deps, caller, at, plan) : null;
  if (approval !== null) {
    const { perNode } = approval;
    const note = preApprovedText(approval);
    return { kind: "run", note, mint, fresh: true, reviewed: true, perNode };
  }
  switch (outcome.kind) {
    case "run": {
      const { by, note, reviewed } = outcome;
      // The ref that was shown is the one consumed, though another may live for the same plan.
      const consumed = by === "ref" ? record : null;
      // What came alone is of this plan, though of a session that was opened anew.
      const told = planned === null ? note : null;
      const given = consumed === null ? mint : () => Promise.resolve(consumed);
      return { kind: "run", note: told, mint: given, fresh: by === "force", reviewed };
    }
    case "blocked": {
      const fresh = await mint();
      const lines = [
        ...(known === null ? [] : changedFiles(known, plan)),
        ...renderReasons(plan, fresh.ref),
        ...accountLines(fresh.accounts),
        ...scopeLines(deps, caller, at, plan.summary.effects),
        ...left,
      ];
      throw blockedFailure(plan, fresh, outcome.reason, ref, lines);
    }
    case "repeat":
      return { kind: "repeat", ref: ref ?? "" };
    case "approval_required": {
      const hours = policy.approval?.hours;
      const intent = at.logical?.value.intent ?? null;
      const { subject, actingFor = null, requestId } = caller;
      const { noticeTargets: targets } = deps;
      const asking = {
        place,
        plan,
        subject,
        actingFor,
        intent,
        requestId,
        hours,
        targets,
        byClient,
        drifted: driftedLines(drifted),
      };
      const minted = await askOperator(deps.store, asking);
      throw approvalRequired(plan, minted, asking);
    }
    case "rejected":
      throw approvalRejected();
    case "force_denied":
      throw fail("plasm-force-denied", "Policy forbids force. Plan and run with plan_commit_ref.");
  }
}

/** Nothing of it is sent, put before an operator, or given a ref, where a credential is for reading alone (SURF-23). */
function refuseEffects({ readsOnly }: Caller, { summary }: Plan): void {
  if (readsOnly === undefined || summary.effects.length === 0) return;
  const { lacks, stepUp } = readsOnly;
  const help =
    stepUp === null
      ? "Whoever makes keys can make one with it."
      : "A client that signs its user in can ask for it.";
  throw insufficientScope(
    `not run: nothing was sent\nThis changes something, and the credential of this call lacks the scope ${lacks}. ${help}`,
    stepUp,
  );
}

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

/** Runs a plan that only reads. Its ref is for the answer alone, so that requests do not wait for it. */
async function runReads(
  deps: OperationDeps,
  { caller, at, plan, limits }: Omit<Beginning, "minted">,
  mint: () => Promise<CommitRecord>,
  request: RunArguments,
  memory: RunMemory,
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
  const marks = await openMarks(deps.store, placeOf(caller, at), plan);
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
  request: RunArguments,
  wait: boolean | undefined,
): Promise<LiveOutcome> {
  const { signal, onProgress } = request;
  const effects = begun.plan.summary.effects.length > 0;
  if (!begun.detached && !effects) {
    return withRunMemory(deps, begun.caller.scope, (memory) =>
      runReads(deps, begun, mint, request, memory),
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
  const answer = await runPassed(deps, begun, passed, request, wait);
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

type PlannedEffect = Plan["summary"]["effects"][number];

type Judged = Pick<Exposure, "policy" | "catalogs">;

function approverOfEffect({ policy, catalogs }: Judged, effect: PlannedEffect): Approver | null {
  const capability = catalogs.get(effect.catalog)?.cgs.capabilities.get(effect.capability);
  if (capability === undefined) throw new Error("A plan has an effect of no capability");
  return approverOf(policy, effect.catalog, capability);
}

/** A ref as it stands by the policy as it is now: what the person at the client approved waits where an operator must (OPS-65). */
const withRightApproval = (record: CommitRecord | null, byClient: boolean): CommitRecord | null =>
  record?.state === "approved" && record.approvedBy === "client" && !byClient
    ? { ...record, state: "waiting" }
    : record;

/** Whether the person at the client may approve what has to be approved of a plan (OPS-65). */
const mayClientApprove = (plan: Plan, judged: Judged): boolean =>
  !plan.summary.effects.some((effect) => approverOfEffect(judged, effect) === "operator");

/** The effects of a plan that somebody must approve by the policy as it is now (OPS-36). */
const operatorsEffects = (plan: Plan, judged: Judged): readonly PlannedEffect[] =>
  plan.summary.effects.filter((effect) => approverOfEffect(judged, effect) !== null);

/** Who lets a plan run (PLAN-030). */
const levelOf = (plan: Plan, judged: Judged): PolicyLevel =>
  operatorsEffects(plan, judged).length > 0 ? "operator" : "agent";
