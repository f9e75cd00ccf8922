import type { PlanBody, PlanReturn } from "@plasm/core";
import { isStopReason, RunStop, type StopReason } from "../limits/budget.ts";
import { returnDemand } from "./demand.ts";
import type { Engine } from "./engine.ts";
import type { Feed } from "./feed.ts";
import { makeResult } from "./make-result.ts";
import { isEffect } from "./node-types.ts";
import { entryIdOf } from "./render-result.ts";
import { RunFailure } from "../run-failure.ts";
import type { RunResult } from "./run-types.ts";

/** A returned node's result; a node that failed, or whose input did, has none (PLAN-071). */
async function resultOf(
  engine: Engine,
  plan: PlanBody,
  back: PlanReturn,
): Promise<RunResult | null> {
  const feed = engine.feedOf(back.node);
  const { kind } = feed.ending;
  if (kind === "failed" || kind === "skipped") return null;
  const node = engine.nodeOf(back.node);
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

/**
 * The results of a plan's returns, in their order, of those that have any. One that is too large to be written
 * out fails its node (RUN-150).
 */
export async function returnedResults(
  engine: Engine,
  plan: PlanBody,
): Promise<readonly RunResult[]> {
  const results: RunResult[] = [];
  for (const back of plan.returns) {
    try {
      const result = await resultOf(engine, plan, back);
      if (result !== null) results.push(result);
    } catch (thrown) {
      // Cancelled while it waited: the run says so.
      if (thrown instanceof RunStop) continue;
      if (!(thrown instanceof RunFailure)) throw thrown;
      engine.feedOf(back.node).refuse(thrown.failure);
    }
  }
  return results;
}

/** What stopped a run, if a budget or its caller cut any node. */
export function stoppedBy(feeds: readonly Feed[], cancelled: boolean): StopReason | null {
  if (cancelled) return "cancelled";
  for (const { ending } of feeds) {
    if (ending.kind === "cut" && isStopReason(ending.by)) return ending.by;
  }
  return null;
}
