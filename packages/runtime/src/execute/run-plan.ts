import type { PlanBody, PlanNode, PlanReturn } from "@plasm/core";
import type { StopReason } from "../limits/budget.ts";
import { returnDemand, wholeNodes } from "./demand.ts";
import { createEngine, type Engine } from "./engine.ts";
import type { Feed } from "./feed.ts";
import { makeResult } from "./make-result.ts";
import { nodeOutcome } from "./node-outcome.ts";
import { openFeed } from "./open-feed.ts";
import { entryIdOf } from "./render-result.ts";
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
    if (ending.kind !== "cut") continue;
    switch (ending.by) {
      case "requests":
      case "rows":
      case "pages":
      case "fan_out":
      case "bytes":
      case "wall":
        return ending.by;
      default:
        continue;
    }
  }
  return null;
}

function refuseEffects(plan: PlanBody): void {
  const effect = plan.nodes.find(
    ({ effect_class }) => effect_class === "write" || effect_class === "side_effect",
  );
  if (effect !== undefined) throw new Error(`the plan holds an effect, ${effect.id}`);
}

/**
 * Runs a plan's reads: concurrently, each as far as its most demanding consumer needs, in an order of
 * rows that does not depend on which answer comes first (PLAN-060 to PLAN-064, PLAN-070, PLAN-071).
 * What a run may meet is in the outcome; it throws only for plans that break an invariant.
 */
export async function runPlan(request: RunRequest): Promise<RunOutcome> {
  const { plan } = request;
  refuseEffects(plan);
  const engine = createEngine(request, plan.nodes, wholeNodes(plan), (own, node) =>
    openFeed(own, node, null),
  );
  await Promise.all(
    plan.returns.map(({ node, page_size: size }) =>
      engine.feedOf(node).read(returnDemand(plan, node, size, request.catalogs)),
    ),
  );
  const feeds = plan.topological_order.map((id) => engine.feedOf(id));
  const nodes = feeds.map(nodeOutcome);
  const stopped = stoppedBy(feeds, request.signal?.aborted === true);
  const failed = stopped === "cancelled" || nodes.some(({ status }) => status === "failed");
  const results = plan.returns.map((back) => resultOf(engine, plan, back));
  return {
    status: failed ? "failed" : "succeeded",
    stopped,
    nodes,
    results: results.filter((result) => result !== null),
    diagnostics: feeds.flatMap((feed) => feed.log.entries()),
    budget: engine.budget.use(),
    requests: engine.sent,
    effects: [],
  };
}
