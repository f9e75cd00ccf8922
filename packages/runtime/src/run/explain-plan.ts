import type { PlanBody } from "@plasm/core";
import { type EffectNode, type ForEachNode, isEffect } from "@plasm/core/internal";
import type { RunDiagnostic } from "../base/diagnostic.ts";
import { EffectRecorder } from "../effects/effect-log.ts";
import { RunStop, type StopReason } from "../limits/limits.ts";
import type { SentRequest } from "../ports.ts";
import { stageReads, wholeNodes } from "./demand.ts";
import { type ExplainedEffect, explainNode } from "./effects/explain-effect.ts";
import { createRunEngine, type RunEngine } from "./engine.ts";
import { nodeOutcome, nodeState } from "./node-outcome.ts";
import { openFeed } from "./open-feed.ts";
import { returnedResults, stoppedBy } from "./results.ts";
import type { BudgetUse, NodeOutcome, RunContext, RunResult } from "./run-types.ts";

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
