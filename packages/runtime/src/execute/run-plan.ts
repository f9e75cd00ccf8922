import type { PlanBody } from "@plasm/core";
import { EffectRecorder } from "../effects/effect-recorder.ts";
import { wholeNodes } from "./demand.ts";
import { createEngine, type Engine } from "./engine.ts";
import { nodeOutcome, nodeState } from "./node-outcome.ts";
import { isEffect } from "./node-types.ts";
import { openFeed } from "./open-feed.ts";
import { returnedResults, stoppedBy } from "./returned-results.ts";
import { finishedOnce, resumedFeed } from "./resumed-feed.ts";
import { runStages } from "./run-stages.ts";
import type { RunOutcome, RunRequest } from "./run-types.ts";

/** Whether every effect came to its end: if any is outstanding, the run has failed (OPS-30). */
function effectsEnded(engine: Engine, plan: PlanBody): boolean {
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
  const engine = createEngine(request, plan.nodes, {
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

async function runWith(engine: Engine, request: RunRequest): Promise<RunOutcome> {
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
    budget: engine.budget.use(),
    requests: engine.sent,
    effects: engine.effects.entries,
  };
}
