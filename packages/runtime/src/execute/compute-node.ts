import type { JsonObject } from "@plasm/core";
import type { Engine } from "./engine.ts";
import type { Feed, RowReader } from "./feed.ts";
import type { ComputeNode } from "./node-types.ts";
import { aggregateNode, groupByNode } from "./compute-aggregate.ts";
import { distinctNode } from "./compute-distinct.ts";
import { filterNode } from "./compute-filter.ts";
import { limitNode } from "./compute-limit.ts";
import { projectNode } from "./compute-project.ts";
import { renderNode } from "./compute-render.ts";
import { singletonNode } from "./compute-singleton.ts";
import { sortNode } from "./compute-sort.ts";

/** Transforms the rows of one node, without requests but for hydration (LANG-061). */
export function computeNode(
  engine: Engine,
  feed: Feed,
  node: ComputeNode,
  state: JsonObject | null,
): RowReader {
  const { op } = node;
  const source = engine.feedOf(node.source);
  const use = { engine, feed, node, source, state };
  if ("filter" in op) return filterNode(use, op.filter);
  if ("sort" in op) return sortNode(use, op.sort);
  if ("limit" in op) return limitNode(node, op.limit, source, state);
  if ("aggregate" in op) return aggregateNode(use, op.aggregate);
  if ("group_by" in op) return groupByNode(use, op.group_by);
  if ("distinct" in op) return distinctNode(use, op.distinct);
  if ("singleton" in op) return singletonNode(use);
  if ("project" in op) return projectNode(engine, feed, node, op.project, source);
  return renderNode(use, op.render);
}
