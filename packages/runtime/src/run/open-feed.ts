import type { JsonObject, PlanNode } from "@plasm/core";
import { isEffectBody } from "@plasm/core/internal";
import { computeReader } from "./compute-node.ts";
import { countNode } from "./count-node.ts";
import { dataNode } from "./data-node.ts";
import { deriveNode } from "./derive-node.ts";
import { effectNode, effectPerRow } from "./effects/effect-per-row.ts";
import type { RunEngine } from "./engine.ts";
import { Feed, type Restored, type RowReader } from "./feed.ts";
import { getNode } from "./get-node.ts";
import { finished, quietWatch } from "./resumed-feed.ts";
import { joinNode } from "./join-node.ts";
import { totalNode } from "./total-node.ts";
import { listNode } from "./list-node.ts";
import { nodeState } from "./node-outcome.ts";
import { readPerRow } from "./read-per-row.ts";
import { relationNode } from "./relation-node.ts";

/** How a node kind makes its rows; `state` is where a cursor left it. */
function openReader(
  engine: RunEngine,
  feed: Feed,
  node: PlanNode,
  state: JsonObject | null,
): RowReader {
  switch (node.kind) {
    case "query":
    case "search":
      return node.count === true
        ? countNode(engine, feed, node, state)
        : listNode(engine, feed, node, state);
    case "get":
      return getNode(engine, feed, node, state);
    case "relation":
      return node.count === true
        ? countNode(engine, feed, node, state)
        : relationNode(engine, feed, node, state);
    case "compute":
      return computeReader(engine, feed, node, state);
    case "create":
    case "update":
    case "delete":
    case "action":
      return effectNode(engine, feed, node);
    case "for_each":
      return isEffectBody(node.body)
        ? effectPerRow(engine, feed, node, node.body)
        : readPerRow(engine, feed, node, node.body, state, openReader);
    case "join":
      return node.totals === undefined
        ? joinNode(engine, feed, node)
        : totalNode(engine, feed, node, node.totals, state);
    case "data":
      return dataNode(engine, feed, node);
    case "derive":
      return deriveNode(engine, feed, node, state);
  }
}

/** Where a cursor left a node; without state it is read no more. */
export interface FeedPosition extends Restored {
  readonly state: JsonObject | null;
}

/** The feed of a node, at its beginning or where a cursor left it. */
export function openFeed(engine: RunEngine, node: PlanNode, place: FeedPosition | null): Feed {
  const { onProgress } = engine.context;
  const open = (feed: Feed): RowReader => {
    if (place !== null && place.state === null) return finished;
    return openReader(engine, feed, node, place?.state ?? null);
  };
  const feed = new Feed(node.id, open, {
    ...quietWatch(engine),
    onStart: () => {
      engine.watch.started(node);
      onProgress?.({ kind: "node_started", node: node.id });
    },
    onRows: ({ id }, rows) => onProgress?.({ kind: "rows_read", node: id, rows }),
    onEnd: (own) => {
      engine.watch.ended(own.id, nodeState(own));
      onProgress?.({ kind: "node_ended", ...nodeState(own) });
    },
  });
  if (place !== null) feed.restore(place);
  return feed;
}
