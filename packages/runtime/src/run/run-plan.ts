import type { PlanBody } from "@plasm/core";
import { type EffectNode, type ForEachNode, isEffect } from "@plasm/core/internal";
import type { RunDiagnostic } from "../base/diagnostic.ts";
import { EffectRecorder } from "../effects/effect-log.ts";
import { RunStop, type StopReason } from "../limits/limits.ts";
import type { SentRequest } from "../ports.ts";
import { stageReads, wholeNodes } from "./demand.ts";
import { unstartedFacts } from "./effects/effect-facts.ts";
import { type ExplainedEffect, explainNode } from "./effects/explain-effect.ts";
import { type RunEngine, createRunEngine } from "./engine.ts";
import type { Demand, Ending } from "./feed.ts";
import { nodeOutcome, nodeState } from "./node-outcome.ts";
import { openFeed } from "./open-feed.ts";
import { returnedResults, stoppedBy } from "./results.ts";
import { finishedOnce, resumedFeed } from "./resumed-feed.ts";
import type {
  BudgetUse,
  NodeOutcome,
  RunContext,
  RunOutcome,
  RunRequest,
  RunResult,
} from "./run-types.ts";

/** Whether every effect came to its end: if any is outstanding, the run has failed (OPS-30). */
function effectsEnded(engine: RunEngine, plan: PlanBody): boolean {
  const effects = plan.nodes.filter((node) => isEffect(node));
  return effects.every(({ id }) => engine.feedOf(id).ending.kind === "ended");
}

/**
 * Runs a plan: reads concurrently, each as far as its most demanding consumer needs, in an order of rows
 * that does not depend on which answer comes first; effects one at a time, as barriers between them
 * (PLAN-004, PLAN-060 to PLAN-065, PLAN-070 to PLAN-074). What a run may meet is in the outcome, every
 * effect included; it throws only for plans that break an invariant, such as effects without a log.
 */
export async function runPlan(request: RunRequest): Promise<RunOutcome> {
  const { plan, effectLog = null, earlier } = request;
  if (effectLog === null && plan.nodes.some((node) => isEffect(node))) {
    throw new Error("a plan with effects runs without an effect log");
  }
  const engine = createRunEngine(request, plan.nodes, {
    whole: wholeNodes(plan),
    effects: new EffectRecorder(effectLog, request.ports.clock, earlier?.effects),
    open: (own, node) => {
      const kept = earlier?.outputs.get(node.id);
      return kept === undefined ? openFeed(own, node, null) : resumedFeed(own, node, kept);
    },
  });
  try {
    return await runWith(engine, request);
  } finally {
    engine.shelf.close();
  }
}

async function runWith(engine: RunEngine, request: RunRequest): Promise<RunOutcome> {
  const { plan, earlier } = request;
  const known = new Set(earlier?.outputs.keys());
  engine.effects.finished = finishedOnce(engine, plan.topological_order, known);
  await runStages(engine, plan);
  const results = await returnedResults(engine, plan);
  engine.watch.settle((id) => nodeState(engine.feedOf(id)));
  const feeds = plan.topological_order.map((id) => engine.feedOf(id));
  const nodes = feeds.map(nodeOutcome);
  const stopped = stoppedBy(feeds, request.signal?.aborted === true);
  const failed = stopped === "cancelled" || nodes.some(({ status }) => status === "failed");
  return {
    status: failed || !effectsEnded(engine, plan) ? "failed" : "succeeded",
    stopped,
    nodes,
    results,
    diagnostics: feeds.flatMap((feed) => feed.log.entries()),
    answers: feeds.flatMap((feed) => feed.log.answers()),
    budget: engine.budget.use(),
    requests: engine.sent,
    effects: engine.effects.entries,
  };
}

type HeldBack = Extract<Ending, { kind: "skipped" | "cut" }>;

/** Why no effect may start now: a cancel, or something before it that did not come to its end (PLAN-071). */
function heldBack(
  engine: RunEngine,
  plan: PlanBody,
  before: readonly (EffectNode | ForEachNode)[],
): HeldBack | null {
  if (engine.context.signal?.aborted === true) return { kind: "cut", by: "cancelled" };
  for (const id of plan.topological_order) {
    if (engine.feedOf(id).ending.kind === "failed") {
      return { kind: "skipped", reason: `held back, since ${id} failed` };
    }
  }
  for (const { id } of before) {
    const { ending } = engine.feedOf(id);
    if (ending.kind === "cut") return ending;
    if (ending.kind === "skipped") {
      return { kind: "skipped", reason: `held back, since ${id} was skipped` };
    }
  }
  return null;
}

/** Reads a node as far as the run needs it, and says so (OPS-18). */
async function readFor(engine: RunEngine, node: string, demand: Demand): Promise<void> {
  const feed = engine.feedOf(node);
  await feed.read(demand);
  engine.context.onProgress?.({ kind: "node_read", node, rows: feed.rows.length });
}

/**
 * Runs a plan stage by stage: the reads of a stage, concurrently, then the effect that ends it; effects
 * in source order, one at a time, whether returned or not (PLAN-004, PLAN-060, LANG-072, LANG-073).
 * No effect starts after a failure; reads go on (PLAN-071).
 */
async function runStages(engine: RunEngine, plan: PlanBody): Promise<void> {
  const reads = stageReads(plan, engine.context.catalogs);
  const nodes = new Map(plan.nodes.map((node) => [node.id, node]));
  const effects = plan.topological_order
    .flatMap((id) => nodes.get(id) ?? [])
    .filter((node) => isEffect(node));
  const last = Math.max(0, ...plan.nodes.map(({ stage }) => stage));
  for (let stage = 0; stage <= last; stage++) {
    const now = reads.get(stage) ?? [];
    await Promise.all(now.map(({ node, demand }) => readFor(engine, node, demand)));
    for (const effect of effects.filter((each) => each.stage === stage)) {
      const feed = engine.feedOf(effect.id);
      const why = heldBack(engine, plan, effects.slice(0, effects.indexOf(effect)));
      if (why === null) {
        await feed.read("all");
        continue;
      }
      feed.holdBack(why);
      for (const facts of unstartedFacts(engine, feed, effect)) engine.effects.skip(facts, null);
    }
  }
}

/** A plan to explain, and what a run of it would need. */
export interface ExplainRequest extends RunContext {
  readonly plan: PlanBody;
}

/** What a plan would do, as far as its reads tell (OPS-38). */
export interface ExplainOutcome {
  /** every effect in the order a run would send them */
  readonly effects: readonly ExplainedEffect[];
  readonly nodes: readonly NodeOutcome[];
  /** of nodes that only read; what a run reads behind an effect is as it is before it */
  readonly results: readonly RunResult[];
  readonly diagnostics: readonly RunDiagnostic[];
  /** what stopped the reads before their end */
  readonly stopped: StopReason | null;
  readonly budget: BudgetUse;
  readonly requests: readonly SentRequest[];
}

const NOT_SENT = Object.freeze({ kind: "skipped", reason: "explain sends no effect" });

/** The effects of a node; a budget or cancel ends the list there. */
async function explained(
  engine: RunEngine,
  node: EffectNode | ForEachNode,
): Promise<readonly ExplainedEffect[]> {
  const feed = engine.feedOf(node.id);
  try {
    const effects = await explainNode(engine, feed, node);
    feed.holdBack(NOT_SENT);
    return effects;
  } catch (error) {
    if (!(error instanceof RunStop)) throw error;
    feed.holdBack({ kind: "cut", by: error.reason });
    return [];
  }
}

/**
 * Executes the reads of a plan under its budget, and of its effects nothing but what they would send
 * (OPS-38). Never throws for what a run may meet.
 */
export async function explainPlan(request: ExplainRequest): Promise<ExplainOutcome> {
  const { plan } = request;
  const engine = createRunEngine(request, plan.nodes, {
    whole: wholeNodes(plan),
    effects: new EffectRecorder(null, request.ports.clock),
    open: (own, node) => openFeed(own, node, null),
  });
  try {
    return await explainWith(engine, plan);
  } finally {
    engine.shelf.close();
  }
}

async function explainWith(engine: RunEngine, plan: PlanBody): Promise<ExplainOutcome> {
  const reads = stageReads(plan, engine.context.catalogs);
  const nodes = plan.topological_order.map((id) => engine.nodeOf(id));
  const effects: ExplainedEffect[] = [];
  const last = Math.max(0, ...plan.nodes.map(({ stage }) => stage));
  for (let stage = 0; stage <= last; stage++) {
    const now = reads.get(stage) ?? [];
    await Promise.all(now.map(({ node, demand }) => engine.feedOf(node).read(demand)));
    for (const node of nodes) {
      if (node.stage === stage && isEffect(node)) effects.push(...(await explained(engine, node)));
    }
  }
  const results = await returnedResults(engine, plan);
  engine.watch.settle((id) => nodeState(engine.feedOf(id)));
  const feeds = plan.topological_order.map((id) => engine.feedOf(id));
  return {
    effects,
    nodes: feeds.map(nodeOutcome),
    results,
    diagnostics: feeds.flatMap((feed) => feed.log.entries()),
    stopped: stoppedBy(feeds, engine.context.signal?.aborted === true),
    budget: engine.budget.use(),
    requests: engine.sent,
  };
}
