import { renderReasons, type Plan } from "@plasm/core";
import { runPlan } from "@plasm/runtime";
import type { RunAnswer } from "../answer.ts";
import { approvalRejected, approvalRequired } from "../commit/approval-required.ts";
import { askOperator, isRejected } from "../commit/ask-operator.ts";
import { blockedFailure } from "../commit/blocked.ts";
import { compile } from "../commit/compile.ts";
import { gate, type GateOutcome } from "../commit/gate.ts";
import { commitId, mintCommit } from "../commit/mint.ts";
import { placeOf } from "../commit/place.ts";
import { levelOf } from "../commit/policy-level.ts";
import { fail } from "../errors/failure.ts";
import type { Caller } from "../identity/caller.ts";
import type { CommitRecord } from "../records/commit-record.ts";
import { locate, programAccepted, type Located, type SessionAddress } from "../session/locate.ts";
import { named } from "../errors/named.ts";
import { answerRun } from "./answer-run.ts";
import { checkArguments, type CheckedArguments } from "./arguments.ts";
import { continuePage } from "./continue-page.ts";
import type { EffectRun } from "./attempt-run.ts";
import { collectDefects } from "./defects.ts";
import { runWithEffects } from "./effect-run.ts";
import { withNote } from "./ended-run.ts";
import type { LiveDeps } from "./live-deps.ts";
import { repeatRun } from "./repeat-run.ts";
import type { RunArguments } from "./run-arguments.ts";
import { nameNodes } from "./name-nodes.ts";
import { runContext } from "./run-context.ts";
import { runPlaceOf } from "./start-run.ts";
import { stopCause } from "./stopped-run.ts";

/**
 * The record a ref names for this principal and session; anything else is unknown (PLAN-030). One
 * that has run is known beyond the life of its execute session, too, as long as the logical session
 * goes on (OPS-3).
 */
async function recordOf(
  deps: LiveDeps,
  caller: Caller,
  at: Located,
  ref: string | null,
): Promise<CommitRecord | null> {
  if (ref === null) return null;
  const found = await deps.store.get("commit", caller.scope, commitId(at.owner, ref));
  const record = found?.value ?? null;
  if (record === null || record.principal !== at.principal) return null;
  const same = record.session.sessionId === at.view.session.sessionId;
  return same || record.state === "consumed" ? record : null;
}

type Passed =
  | {
      readonly kind: "run";
      readonly note: string | null;
      readonly minted: CommitRecord;
      /** whether any other ref would do, since `force` alone let it run */
      readonly fresh: boolean;
    }
  | { readonly kind: "repeat"; readonly ref: string };

async function passGate(
  deps: LiveDeps,
  caller: Caller,
  at: Located,
  plan: Plan,
  { ref, force }: CheckedArguments,
): Promise<Passed> {
  const record = await recordOf(deps, caller, at, ref);
  const place = placeOf(caller, at);
  const { policy } = at.view.exposure;
  const { commit, summary } = plan;
  const { verdict } = summary;
  const outcome: GateOutcome = gate({
    level: levelOf(plan, at.view.exposure),
    hashRejected: verdict === "review" && (await isRejected(deps.store, place, commit)),
    forceAllowed: policy.force !== false,
    now: deps.store.now(),
    ...{ verdict, commit, ref, record, force },
  });
  const mint = () => mintCommit(deps.store, place, plan);
  switch (outcome.kind) {
    case "run": {
      const { by, note } = outcome;
      // The ref that was shown is the one consumed, though another may live for the same plan.
      const minted = by === "ref" && record !== null ? record : await mint();
      return { kind: "run", note, minted, fresh: by === "force" };
    }
    case "blocked":
      throw blockedFailure(plan, await mint(), outcome.reason, ref, renderReasons(plan));
    case "repeat":
      return { kind: "repeat", ref: ref ?? "" };
    case "approval_required": {
      const hours = policy.approval?.hours;
      const intent = at.logical?.value.intent ?? null;
      const asking = { place, plan, subject: caller.subject, intent, hours };
      throw approvalRequired(plan, await askOperator(deps.store, asking));
    }
    case "rejected":
      throw approvalRejected();
    case "force_denied":
      throw fail("plasm-force-denied", "Policy forbids force. Plan and run with plan_commit_ref.");
  }
}

async function runReads(deps: LiveDeps, run: EffectRun): Promise<RunAnswer> {
  const { caller, at, plan, minted, request } = run;
  const defects = collectDefects(deps.defect);
  const context = runContext(deps, caller, at, defects, request.signal);
  const outcome = await runPlan({ ...context, plan, nameOf: nameNodes(plan) });
  const cause = stopCause(request.signal);
  return answerRun(deps, caller, at, { plan, outcome, minted, request, defects, cause });
}

/**
 * Runs a program live: the same checks as a dry run, then the gate, then exactly that plan
 * (OPS-4, OPS-7, PLAN-001). A continuation goes on where its handle says. Throws Failure.
 */
export async function runProgram(
  deps: LiveDeps,
  caller: Caller,
  address: SessionAddress,
  request: RunArguments,
): Promise<RunAnswer> {
  const at = await locate(deps, caller, address);
  const given = checkArguments(request);
  const compiled = compile(request.program, at.view.exposure);
  await programAccepted(deps, caller, at);
  if (compiled.kind === "continuation") {
    if (compiled.op === "page") return continuePage(deps, caller, at, compiled, request);
    throw fail("plasm-unknown-handle", `No operation ${named(compiled.handle)} in this session.`);
  }
  const { plan } = compiled;
  const passed = await passGate(deps, caller, at, plan, given);
  if (passed.kind === "repeat") {
    const { ref } = passed;
    return repeatRun(deps, runPlaceOf(placeOf(caller, at), ref), ref, request.signal);
  }
  const { minted, fresh, note } = passed;
  const run = { caller, at, plan, minted, request };
  const effects = plan.summary.effects.length > 0;
  const answer = await (effects ? runWithEffects(deps, run, fresh) : runReads(deps, run));
  return note === null ? answer : withNote(answer, note);
}
