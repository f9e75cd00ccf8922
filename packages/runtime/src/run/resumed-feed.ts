import type { JsonObject, PlanNode } from "@plasm/core";
import { rowsFrom, storeRows } from "../rows/stored-row.ts";
import type { Row } from "../rows/row.ts";
import { RunFailure } from "../base/run-failure.ts";
import type { EarlierAttempt } from "../effects/effect-log.ts";
import type { RunEngine } from "./engine.ts";
import { Feed, type FeedWatch, type RowReader } from "./feed.ts";
import { nodeState } from "./node-outcome.ts";

/** The feed of a node whose rows an earlier attempt kept: nothing is asked for again (OPS-32). */
export function resumedFeed(engine: RunEngine, node: PlanNode, kept: JsonObject): Feed {
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
  engine: RunEngine,
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

/** A watch that tells nobody of progress. */
export const quietWatch = (engine: RunEngine): FeedWatch => ({
  onStart: () => undefined,
  onRows: () => undefined,
  onEnd: () => undefined,
  onDefect: (error) => engine.context.onDefect?.(error),
  redact: engine.redactor.redact,
  shelf: engine.shelf,
});

/** Has no rows but those that were left over. */
export const finished: RowReader = Object.freeze({
  sources: [],
  read: () => Promise.resolve({ rows: [], ended: true }),
  save: () => null,
  anew: () => null,
});

/** The feed of one item of a for_each: `_` is its row, its diagnostics are the node's (LANG-071). */
export function openItem(
  engine: RunEngine,
  owner: Feed,
  row: Row,
  index: number,
  open: (feed: Feed) => RowReader,
): Feed {
  return new Feed(owner.id, open, quietWatch(engine), { row, index, log: owner.log });
}
