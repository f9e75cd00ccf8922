import { renderReasons, type Json, type JsonObject, type Plan } from "@plasm/core";
import { runPlan, type RunOutcome } from "@plasm/runtime";
import type { RunAnswer } from "../answer.ts";
import { blockedFailure } from "../commit/blocked.ts";
import { compile } from "../commit/compile.ts";
import { gate, type GateOutcome } from "../commit/gate.ts";
import { commitId, mintCommit } from "../commit/mint.ts";
import { placeOf } from "../commit/place.ts";
import { fail } from "../errors/failure.ts";
import type { Caller } from "../identity/caller.ts";
import type { CommitRecord } from "../records/commit-record.ts";
import { locate, programAccepted, type Located, type SessionAddress } from "../session/locate.ts";
import { checkArguments, type CheckedArguments } from "./arguments.ts";
import { continuePage } from "./continue-page.ts";
import { deliver } from "./deliver.ts";
import { failedRun, nodesMeta } from "./failed-run.ts";
import type { LiveDeps } from "./live-deps.ts";
import { runContext } from "./run-context.ts";

/** A live run as a surface hands it in, before any check (OPS-34). */
export interface RunArguments {
  readonly program: unknown;
  readonly planCommitRef?: unknown;
  readonly force?: unknown;
  readonly wait?: unknown;
  /** for answers that carry every row as data: no `rest` handles are made (SURF-30) */
  readonly complete?: boolean;
  readonly signal?: AbortSignal;
}

/** The record a ref names for this very session and principal; anything else is unknown (PLAN-030). */
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
  return record.session.sessionId === at.view.session.sessionId ? record : null;
}

async function passGate(
  deps: LiveDeps,
  caller: Caller,
  at: Located,
  plan: Plan,
  { ref, force }: CheckedArguments,
): Promise<{ readonly note: string | null; readonly minted: CommitRecord }> {
  const record = await recordOf(deps, caller, at, ref);
  const forceAllowed = at.view.exposure.policy.force !== false;
  const input = { verdict: plan.summary.verdict, commit: plan.commit, ref, record, force };
  const outcome: GateOutcome = gate({ ...input, forceAllowed, now: deps.store.now() });
  switch (outcome.kind) {
    case "run":
      return {
        note: outcome.note,
        minted: await mintCommit(deps.store, placeOf(caller, at), plan),
      };
    case "blocked": {
      const fresh = await mintCommit(deps.store, placeOf(caller, at), plan);
      throw blockedFailure(plan, fresh, outcome.reason, ref, renderReasons(plan));
    }
    case "repeat":
      throw fail("plasm-commit-used", `${ref} has run; its answer is no longer kept. Plan again.`);
    case "force_denied":
      throw fail("plasm-force-denied", "Policy forbids force. Plan and run with plan_commit_ref.");
  }
}

const statsOf = (outcome: RunOutcome): JsonObject => ({
  requests: outcome.budget.requests,
  rows: outcome.budget.rows,
});

const entryIdsOf = (plan: Plan): readonly string[] => [
  ...new Set(plan.nodes.flatMap((node) => ("catalog" in node ? [node.catalog.entry_id] : []))),
];

async function execute(
  deps: LiveDeps,
  caller: Caller,
  at: Located,
  plan: Plan,
  request: RunArguments,
): Promise<{ readonly outcome: RunOutcome; readonly answer: RunAnswer }> {
  const outcome = await runPlan({ ...runContext(deps, caller, at, request.signal), plan });
  const failed = outcome.status === "failed";
  const delivery = {
    place: placeOf(caller, at),
    ref: at.ref,
    program: plan.source,
    commit: plan.commit,
    source: failed ? ("failure" as const) : ("live" as const),
    results: outcome.results,
    stats: statsOf(outcome),
    complete: request.complete ?? false,
    before: 0,
  };
  return { outcome, answer: await deliver(deps, delivery, entryIdsOf(plan)) };
}

function liveMeta(answer: RunAnswer, outcome: RunOutcome, minted: CommitRecord): JsonObject {
  return {
    ...answer.meta,
    plan_commit_ref: minted.ref,
    effects: [],
    nodes: [...nodesMeta(outcome)],
    budget: { ...outcome.budget },
    diagnostics: outcome.diagnostics.map((one): Json => ({ ...one })),
  };
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
    throw fail("plasm-unknown-handle", `No operation ${compiled.handle} in this session.`);
  }
  const { plan } = compiled;
  const { note, minted } = await passGate(deps, caller, at, plan, given);
  const { outcome, answer } = await execute(deps, caller, at, plan, request);
  if (outcome.status === "failed") {
    throw failedRun(plan, outcome, answer.results.length > 0 ? answer : null);
  }
  const text = note === null ? answer.text : `${answer.text}\nnote: ${note}`;
  return { text, meta: liveMeta(answer, outcome, minted), results: answer.results };
}
