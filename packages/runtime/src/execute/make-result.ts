import { inSlices } from "../turns.ts";
import type { PlanNode } from "@plasm/core";
import type { Engine } from "./engine.ts";
import type { Demand, Feed } from "./feed.ts";
import { partialAggregates } from "./column-presentation.ts";
import { diagnosticsOf } from "./node-outcome.ts";
import type { Rows } from "../rows/row-list.ts";
import { sizeOf } from "../value-size.ts";
import { rowsName } from "./rows-name.ts";
import { renderedSize, renderRows } from "./render-result.ts";
import type { RunResult } from "./run-types.ts";
import { type CursorPlace, saveCursorInSteps } from "./save-cursor.ts";

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
export async function makeResult(engine: Engine, feed: Feed, showing: Showing): Promise<RunResult> {
  const { label, node, nodes, entryId, demand, before, rounds } = showing;
  const shown: Rows = typeof demand === "object" ? feed.rows.slice(0, demand.rows) : feed.rows;
  const place: CursorPlace = {
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
  const rendered = await renderRows(engine, entryId, node, shown);
  const saving = saveCursorInSteps(feed, shown.length, place);
  const cursor = await inSlices(saving, engine.nextTurn);
  if (cursor !== null) await engine.rows.result(name, sizeOf(cursor.state).bytes);
  const partial = shown.length < feed.rows.length ? feed.partialMark : feed.partial;
  const bounds = partial === null ? [] : partialAggregates(nodes, node, partial);
  return {
    label,
    node: node.id,
    ...rendered,
    presented: [...rendered.presented, ...bounds],
    partial,
    cursor,
    diagnostics: diagnosticsOf(feed),
  };
}
