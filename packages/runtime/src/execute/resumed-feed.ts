import type { JsonObject, PlanNode } from "@plasm/core";
import { rowsFrom, storeRows } from "../rows/stored-row.ts";
import type { Row } from "../rows/row.ts";
import { RunFailure } from "../run-failure.ts";
import type { EarlierAttempt } from "../effects/effect-log.ts";
import type { Engine } from "./engine.ts";
import { Feed } from "./feed.ts";
import { finished, quietWatch } from "./item-feed.ts";
import { nodeState } from "./node-outcome.ts";

/** The feed of a node whose rows an earlier attempt kept: nothing is asked for again (OPS-32). */
export function resumedFeed(engine: Engine, node: PlanNode, kept: JsonObject): Feed {
  const { onProgress } = engine.context;
  const reader = { ...finished, read: async () => ({ rows: rowsFrom(kept), ended: true }) };
  return new Feed(node.id, () => reader, {
    ...quietWatch(engine),
    onStart: () => {
      engine.watch.started(node);
      onProgress?.({ kind: "node_started", node: node.id });
    },
    onEnd: (own) => {
      engine.watch.ended(own.id, nodeState(own));
      onProgress?.({ kind: "node_ended", ...nodeState(own) });
    },
  });
}

/** Gives the rows of nodes that have finished whole, each of them once (OPS-28). */
export function finishedOnce(
  engine: Engine,
  ids: readonly string[],
  known: ReadonlySet<string>,
): () => ReadonlyMap<string, JsonObject> {
  const kept = new Set(known);
  return () => {
    const rows = new Map<string, JsonObject>();
    for (const id of ids) {
      const feed = engine.feedOf(id);
      if (kept.has(id) || feed.ending.kind !== "ended" || feed.partial !== null) continue;
      kept.add(id);
      rows.set(id, storeRows(feed.rows));
    }
    return rows;
  };
}

/** What an effect of an earlier attempt answered; throws RunFailure as it failed then (OPS-32). */
export function earlierRows({ error, rows }: EarlierAttempt["effects"][number]): readonly Row[] {
  if (error !== null) throw new RunFailure(error);
  return rows === null || rows === undefined ? [] : rowsFrom(rows);
}
