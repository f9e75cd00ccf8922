import type { PlanBody, PlanNode, PlanReturn } from "@plasm/core";
import { isEffect } from "@plasm/core/internal";
import { isStopReason, RunStop, type StopReason } from "../limits/limits.ts";
import { returnDemand } from "./demand.ts";
import { type RunEngine, rowsName } from "./engine.ts";
import type { Demand, Feed } from "./feed.ts";
import { entryIdOf, renderedSize, resultRows } from "./render-result.ts";
import { RunFailure } from "../base/run-failure.ts";
import type { RunResult } from "./run-types.ts";
import { inSlices } from "../base/turns.ts";
import { editedColumns, partialAggregates } from "./column-presentation.ts";
import { diagnosticsOf } from "./node-outcome.ts";
import type { RowSequence } from "../rows/row-list.ts";
import { sizeOf } from "../base/json-kinds.ts";
import { type CursorRef, saveCursorInSteps } from "./save-cursor.ts";

/** A returned node's result; a node that failed, or whose input did, has none (PLAN-071). */
async function resultOf(
  engine: RunEngine,
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
  engine: RunEngine,
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

/** How a result is shown: its label and node, and how far its statement reads. */
export interface Showing {
  readonly label: string;
  readonly node: PlanNode;
  readonly nodes: readonly PlanNode[];
  readonly entryId: string | null;
  readonly demand: Demand;
  /** rows that earlier pages showed */
  readonly before: number;
  /** what a continuation reads by default */
  readonly next: Demand;
  readonly rounds: number;
}

/**
 * The result of a node that was read: as many rows as its statement shows, the rest behind a cursor. Throws
 * RunFailure where it would be too large, written out, and RunStop where the run is cancelled.
 */
export async function makeResult(
  engine: RunEngine,
  feed: Feed,
  showing: Showing,
): Promise<RunResult> {
  const { label, node, nodes, entryId, demand, before, rounds } = showing;
  const shown: RowSequence =
    typeof demand === "object" ? feed.rows.slice(0, demand.rows) : feed.rows;
  const place: CursorRef = {
    label,
    nodes,
    entryId,
    demand: showing.next,
    before,
    rounds,
    digestOf: (id) => engine.catalog(id).digest,
  };
  const name = () => (label === "" ? rowsName(engine, node.id) : label);
  const size = renderedSize(engine, entryId, node, shown);
  await engine.rows.result(name, await inSlices(size, engine.nextTurn));
  const rendered = await resultRows(engine, entryId, node, shown);
  const saving = saveCursorInSteps(feed, shown.length, place);
  const cursor = await inSlices(saving, engine.nextTurn);
  if (cursor !== null) await engine.rows.result(name, sizeOf(cursor.state).bytes);
  const partial = shown.length < feed.rows.length ? feed.partialMark : feed.partial;
  const bounds = partial === null ? [] : partialAggregates(nodes, node, partial);
  return {
    label,
    node: node.id,
    ...rendered,
    presented: [...editedColumns(node), ...rendered.presented, ...bounds],
    partial,
    cursor,
    diagnostics: diagnosticsOf(feed),
  };
}
