import type { Json, JsonObject, PlanNode, PlanValue } from "@plasm/core";
import { type DataNode, isEffectBody } from "@plasm/core/internal";
import { isArray, isObject, sizeOf } from "../base/json-kinds.ts";
import type { ColumnTypes, Row } from "../rows/row.ts";
import { wordType } from "../rows/cell-key.ts";
import { computeReader } from "./compute-node.ts";
import { countNode } from "./read-count.ts";
import { deriveNode } from "./derive-node.ts";
import { effectNode, effectPerRow } from "./effects/effect-per-row.ts";
import { type RunEngine, rowsName } from "./engine.ts";
import { Feed, type Restored, type RowReader } from "./feed.ts";
import { getNode } from "./get-node.ts";
import { joinNode } from "./join-node.ts";
import { listNode } from "./list-node.ts";
import { nodeState } from "./node-outcome.ts";
import { readPerRow } from "./read-per-row.ts";
import { relationNode } from "./relation-node.ts";
import { resolveValue } from "./resolve-value.ts";
import { finished, quietWatch } from "./resumed-feed.ts";
import { totalNode } from "./total-node.ts";

/** An item of data: what was written, and what it came to. */
interface Item {
  readonly written: PlanValue;
  readonly value: Json;
}

/** The items of a list that was written as one; null for any other value. */
function itemsOf({ written, value }: Item): readonly Item[] | null {
  if (!isArray(value)) return null;
  if ("list" in written) {
    return written.list.map((each, at) => ({ written: each, value: value[at] ?? null }));
  }
  return "lit" in written ? value.map((each) => ({ written: { lit: each }, value: each })) : null;
}

/** The members of an object that was written as one: a reference's key is a value, no row. */
function membersOf({ written, value }: Item, columns: ReadonlySet<string>): JsonObject | null {
  const isRow = ("obj" in written || "lit" in written) && isObject(value);
  return isRow && Object.keys(value).every((name) => columns.has(name)) ? value : null;
}

/** One row: the columns of all, missing ones null (LANG-046). */
function rowOf(item: Item, names: readonly string[], types: ColumnTypes): Row {
  const [only = "value"] = names;
  const name = names.includes("value") ? "value" : only;
  const members = membersOf(item, new Set(names)) ?? { [name]: item.value };
  const cells = names.map((each): readonly [string, Json] => [
    each,
    Object.hasOwn(members, each) ? (members[each] ?? null) : null,
  ]);
  return { base: null, cells: new Map(cells), joined: new Map(), types };
}

/** The rows of a literal: text, a scalar or an object is one, a list one per item (LANG-046). */
function dataNode(engine: RunEngine, feed: Feed, node: DataNode): RowReader {
  const columns = node.result.columns ?? [];
  const names = columns.map(([name]) => name);
  const types: ColumnTypes = new Map(columns.map(([name, word]) => [name, wordType(word)]));
  return {
    sources: [],
    async read() {
      const value = await resolveValue(node.value, { engine, feed, slot: null });
      const data: Item = { written: node.value, value };
      const items = node.result.card === "one" ? [data] : (itemsOf(data) ?? [data]);
      const { cells, bytes } = sizeOf(value);
      const name = () => rowsName(engine, node.id);
      await engine.rows.compute(name, {
        cells: Math.max(cells, items.length * names.length),
        bytes,
      });
      return { rows: items.map((item) => rowOf(item, names, types)), ended: true };
    },
    // It is read at once: what is left of it is rows.
    save: () => null,
    anew: () => null,
    stands: true,
  };
}

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
