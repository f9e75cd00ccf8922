import { canonicalJson, type Json, type Plan } from "@plasm/core";
import { accountLines, sessionAccounts } from "../../session/accounts.ts";
import { errorSpan } from "@plasm/core/internal";
import { type ExplainOutcome, explainPlan, type RunMemory } from "@plasm/runtime";
import type { ExplainedMeta, ExplanationMeta } from "../../answer/meta.ts";
import type { ExplainedOutcome, ExplanationOutcome } from "../../outcome.ts";
import type { SnapshotDocument } from "../../artifacts/snapshots.ts";
import { checkHandle, compileFor, compilePlanned, plannedUnder } from "./plan-program.ts";
import { commitId, mintCommit, placeOf } from "./commits.ts";
import { dryRunMeta } from "../gate/gate-failures.ts";
import { runProblemCode } from "../../errors/classify.ts";
import { fail, type Failure } from "../../errors/problem.ts";
import type { Caller } from "../../identity/caller.ts";
import type { CommitRecord, PlanExplanation } from "../../records/commits.ts";
import { explainedLines, explainedMeta } from "../../answer/explained-effects.ts";
import { RESULT_TOKENS } from "../../answer/results.ts";
import { tokenCounter } from "../../answer/tokens.ts";
import { locate, type ResolvedSession, programAccepted } from "../../session/locate.ts";
import type { SessionAddress } from "../../session/handles.ts";
import { checkArguments } from "../run/run-request.ts";
import { usedBudget } from "../run/answer-run.ts";
import {
  collectDefects,
  type Defects,
  admitRun,
  runContext,
  withRunMemory,
} from "../run/run-context.ts";
import { deliver } from "../run/deliver.ts";
import { entryIdsOf, nameNodes, usedCapabilities } from "./plan-facts.ts";
import { errorText, placedError } from "../run/failure-text.ts";
import type { LiveDeps } from "../deps.ts";

/** What a surface hands in to have a plan explained. */
export interface ExplainArguments {
  /** may be left out with `planCommitRef`: then what was planned under it is explained */
  readonly program?: unknown;
  readonly planCommitRef?: unknown;
  readonly complete?: boolean;
  readonly signal?: AbortSignal;
}

const plural = (n: number, what: string): string => `${n} ${what}${n === 1 ? "" : "s"}`;

/** `explain review pc0 · 2 requests sent, 3 effects not sent`. */
function headOf(plan: Plan, ref: string, { budget, effects, stopped }: ExplainOutcome): string {
  const sent = `${plural(budget.requests, "request")} sent`;
  const held = effects.length === 0 ? "" : `, ${plural(effects.length, "effect")} not sent`;
  const cut = stopped === null ? "" : ` · stopped: ${stopped}`;
  return `explain ${plan.summary.verdict} ${ref} · ${sent}${held}${cut}`;
}

/** Characters of an explanation that stay with its ref (OPS-45). */
const MOST_KEPT = 48_000;

/** The first effects, as many as an operator is shown. */
function keptEffects(
  effects: readonly ExplainedMeta[],
): Pick<Required<PlanExplanation>, "effects" | "omitted"> {
  let left = MOST_KEPT;
  const kept = effects.filter((effect) => {
    // What does not fit ends the list, so that no effect in between is missing from it.
    left = left < 0 ? left : left - JSON.stringify(effect).length;
    return left >= 0;
  });
  return { effects: kept as unknown as readonly Json[], omitted: effects.length - kept.length };
}

/** Attaches the effects and snapshots of an explanation to its ref, for whoever reviews it; a lost race loses nothing. */
async function attach(
  deps: LiveDeps,
  place: ReturnType<typeof placeOf>,
  minted: CommitRecord,
  snapshots: readonly (SnapshotDocument | null)[],
  effects: readonly ExplainedMeta[],
): Promise<void> {
  const id = commitId(place.owner, minted.ref);
  const found = await deps.store.get("commit", place.scope, id);
  if (found === null) return;
  const kept = keptEffects(effects);
  const { explained: before } = found.value;
  // Whoever has read the same effects decides on what they have read.
  const isSame =
    kept.omitted === 0 &&
    before?.omitted === 0 &&
    canonicalJson(before.effects) === canonicalJson(kept.effects);
  const explained = {
    at: isSame ? before.at : deps.store.now(),
    snapshots: snapshots.flatMap((one) => (one === null ? [] : [one.n])),
    ...kept,
  };
  await deps.store.cas("commit", place.scope, id, found.version, { ...found.value, explained });
}

/** The failure of an explanation one of whose reads failed: what could be told stands in its text. */
function failedExplanation(
  plan: Plan,
  outcome: ExplainOutcome,
  answer: ExplainedOutcome,
  defects: Defects,
): Failure | null {
  const all = outcome.nodes.flatMap(({ error }) => (error === null ? [] : [error]));
  const [first] = all;
  if (first === undefined) return null;
  const errors = all.map((error) => {
    const span = errorSpan(plan, error.node, error.within ?? null);
    return placedError(plan.source, span, defects.identified(error));
  });
  const text = [answer.text, errors.map(errorText).join("\n\n")].join("\n");
  const { meta, results } = answer;
  return fail(runProblemCode(first.code), text, { errors, meta, results });
}

async function explained(
  deps: LiveDeps,
  caller: Caller,
  at: ResolvedSession,
  plan: Plan,
  request: ExplainArguments & { readonly left: readonly string[] },
  memory: RunMemory,
): Promise<ExplainedOutcome> {
  const place = placeOf(caller, at);
  const minted = await mintCommit(deps.store, place, plan);
  const defects = collectDefects(deps);
  const { signal } = request;
  const context = runContext(deps, caller, at, defects, {
    memory,
    ...(signal === undefined ? {} : { signal }),
  });
  const outcome = await explainPlan({ ...context, plan, nameOf: nameNodes(plan) });
  const { requests, rows } = outcome.budget;
  const delivery = {
    place,
    ref: at.ref,
    program: plan.source,
    commit: plan.commit,
    uses: usedCapabilities(plan, at.view.exposure.catalogs),
    run: { id: context.runId, ref: minted.ref },
    source: "explain" as const,
    results: outcome.results,
    stats: { requests, rows },
    complete: request.complete ?? false,
    exposure: at.view.exposure,
    before: 0,
  };
  const { answer, snapshots } = await deliver(deps, delivery, entryIdsOf(plan));
  const effects = explainedMeta(outcome.effects);
  await attach(deps, place, minted, snapshots, effects);
  const count = await tokenCounter();
  const lines = explainedLines(outcome.effects, RESULT_TOKENS / 2, count);
  const head = [headOf(plan, minted.ref, outcome), ...accountLines(minted.accounts)];
  const text = [...head, ...lines, ...request.left, answer.text];
  const { steps, paging } = answer.meta;
  const meta: ExplanationMeta = {
    ...dryRunMeta(plan, minted),
    explained: effects,
    ...(request.program === undefined ? { program: plan.source } : {}),
    steps,
    paging,
    budget: usedBudget(outcome.budget, plan),
  };
  const told: ExplainedOutcome = {
    kind: "explained",
    text: text.filter((part) => part !== "").join("\n"),
    meta,
    results: answer.results,
    ...(answer.fitted === undefined ? {} : { fitted: answer.fitted }),
  };
  const failure = failedExplanation(plan, outcome, told, defects);
  if (failure !== null) throw failure;
  return told;
}

/**
 * Explains a program, or what was planned under a ref: its reads are executed under their budget, of its effects nothing but what they
 * would send is told (OPS-38). No gate applies, since nothing changes; the ref is that of the plan. A
 * continuation is checked as a dry run checks it. Throws Failure.
 */
export async function explainProgram(
  deps: LiveDeps,
  caller: Caller,
  address: SessionAddress,
  request: ExplainArguments,
): Promise<ExplanationOutcome> {
  const at = sessionAccounts(deps, caller, await locate(deps, caller, address));
  const { program } = request;
  const { ref } = checkArguments({ planCommitRef: request.planCommitRef });
  const compiled =
    program === undefined && ref !== null
      ? await compilePlanned(deps, caller, await plannedUnder(deps.store, caller, at, ref), at)
      : await compileFor(deps, caller, at, program, ref);
  await programAccepted(deps, caller, at);
  if (compiled.kind === "plan") {
    const { plan, left = [] } = compiled;
    await admitRun(deps, caller, at, entryIdsOf(plan), { runs: 1 });
    return withRunMemory(deps, caller.scope, (memory) =>
      explained(deps, caller, at, plan, { ...request, left }, memory),
    );
  }
  return { ...(await checkHandle(deps, caller, at, compiled)), results: [] };
}
