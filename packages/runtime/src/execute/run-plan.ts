import type { PlanBody, PlanNode, PlanReturn } from "@plasm/core";
import { EffectRecorder } from "../effects/effect-recorder.ts";
import { isStopReason, type StopReason } from "../limits/budget.ts";
import { returnDemand, wholeNodes } from "./demand.ts";
import { createEngine, type Engine } from "./engine.ts";
import type { Feed } from "./feed.ts";
import { makeResult } from "./make-result.ts";
import { nodeOutcome } from "./node-outcome.ts";
import { isEffect } from "./node-types.ts";
import { openFeed } from "./open-feed.ts";
import { entryIdOf } from "./render-result.ts";
import { runStages } from "./run-stages.ts";
import type { RunOutcome, RunRequest, RunResult } from "./run-types.ts";

function nodeOf(plan: PlanBody, id: string): PlanNode {
  const node = plan.nodes.find((each) => each.id === id);
  if (node === undefined) throw new Error(`the plan returns no node ${id}`);
  return node;
}

/** A returned node's result; a node that failed, or whose input did, has none (PLAN-071). */
function resultOf(engine: Engine, plan: PlanBody, back: PlanReturn): RunResult | null {
  const feed = engine.feedOf(back.node);
  const { kind } = feed.ending;
  if (kind === "failed" || kind === "skipped") return null;
  const node = nodeOf(plan, back.node);
  // An effect that was cut off before it began has no result; a read has what it has, be it nothing.
  if (kind === "cut" && isEffect(node) && !feed.began) return null;
  const demand = returnDemand(plan, back.node, back.page_size, engine.context.catalogs);
  return makeResult(engine, feed, {
    label: back.label,
    node,
    nodes: plan.nodes,
    entryId: entryIdOf(plan.nodes, node),
    demand,
    next: demand,
    before: 0,
    rounds: 0,
  });
}

/** What stopped the run, if a budget or its caller cut any node. */
function stoppedBy(feeds: readonly Feed[], cancelled: boolean): StopReason | null {
  if (cancelled) return "cancelled";
  for (const { ending } of feeds) {
    if (ending.kind === "cut" && isStopReason(ending.by)) return ending.by;
  }
  return null;
}

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
  const { plan, effectLog = null } = request;
  if (effectLog === null && plan.nodes.some((node) => isEffect(node))) {
    throw new Error("a plan with effects runs without an effect log");
  }
  const engine = createEngine(request, plan.nodes, {
    whole: wholeNodes(plan),
    effects: new EffectRecorder(effectLog, request.ports.clock),
    open: (own, node) => openFeed(own, node, null),
  });
  await runStages(engine, plan);
  const feeds = plan.topological_order.map((id) => engine.feedOf(id));
  const nodes = feeds.map(nodeOutcome);
  const stopped = stoppedBy(feeds, request.signal?.aborted === true);
  const failed = stopped === "cancelled" || nodes.some(({ status }) => status === "failed");
  const results = plan.returns.map((back) => resultOf(engine, plan, back));
  return {
    status: failed || !effectsEnded(engine, plan) ? "failed" : "succeeded",
    stopped,
    nodes,
    results: results.filter((result) => result !== null),
    diagnostics: feeds.flatMap((feed) => feed.log.entries()),
    budget: engine.budget.use(),
    requests: engine.sent,
    effects: engine.effects.entries,
  };
}
