import type { PlanBody } from "@plasm/core";
import { unstartedFacts } from "./effects/effect-facts.ts";
import type { Engine } from "./engine.ts";
import type { Demand, Ending } from "./feed.ts";
import { type EffectNode, type ForEachNode, isEffect } from "./node-types.ts";
import { stageReads } from "./stage-reads.ts";

type HeldBack = Extract<Ending, { kind: "skipped" | "cut" }>;

/** Why no effect may start now: a cancel, or something before it that did not come to its end (PLAN-071). */
function heldBack(
  engine: Engine,
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
async function readFor(engine: Engine, node: string, demand: Demand): Promise<void> {
  const feed = engine.feedOf(node);
  await feed.read(demand);
  engine.context.onProgress?.({ kind: "node_read", node, rows: feed.rows.length });
}

/**
 * Runs a plan stage by stage: the reads of a stage, concurrently, then the effect that ends it; effects
 * in source order, one at a time, whether returned or not (PLAN-004, PLAN-060, LANG-072, LANG-073).
 * No effect starts after a failure; reads go on (PLAN-071).
 */
export async function runStages(engine: Engine, plan: PlanBody): Promise<void> {
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
