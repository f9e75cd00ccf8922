import type { PlanNode } from "@plasm/core";
import type { Engine } from "./engine.ts";
import type { Demand, Feed } from "./feed.ts";
import { partialAggregates } from "./column-presentation.ts";
import { diagnosticsOf } from "./node-outcome.ts";
import { renderRows } from "./render-result.ts";
import type { RunResult } from "./run-types.ts";
import { type CursorPlace, saveCursor } from "./save-cursor.ts";

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

/** The result of a node that was read: as many rows as its statement shows, the rest behind a cursor. */
export function makeResult(engine: Engine, feed: Feed, showing: Showing): RunResult {
  const { label, node, nodes, entryId, demand, before, rounds } = showing;
  const shown = typeof demand === "object" ? feed.rows.slice(0, demand.rows) : feed.rows;
  const place: CursorPlace = {
    label,
    nodes,
    entryId,
    demand: showing.next,
    before,
    rounds,
    digestOf: (id) => engine.catalog(id).digest,
  };
  const rendered = renderRows(engine, entryId, node, shown);
  const partial = shown.length < feed.rows.length ? feed.partialMark : feed.partial;
  const bounds = partial === null ? [] : partialAggregates(nodes, node);
  return {
    label,
    node: node.id,
    ...rendered,
    presented: [...rendered.presented, ...bounds],
    partial,
    cursor: saveCursor(feed, shown.length, place),
    diagnostics: diagnosticsOf(feed),
  };
}
