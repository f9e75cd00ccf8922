import type { Json, JsonObject, PlanNode } from "@plasm/core";
import { isStopReason } from "../limits/budget.ts";
import { rowsFrom, storeRows } from "../rows/stored-row.ts";
import { isArray, isObject } from "../json-kinds.ts";
import type { Row } from "../rows/row.ts";
import type { Demand, Feed } from "./feed.ts";
import type { Cursor } from "./run-types.ts";

/** A node of a cursor: what it reads, where it stands, and rows it has left over. */
export interface StoredNode {
  readonly node: PlanNode;
  readonly state: JsonObject;
  readonly rows: readonly Row[];
  readonly ended: boolean;
}

/** What a cursor holds, unpacked. */
export interface CursorState {
  readonly nodes: readonly StoredNode[];
  readonly entryId: string | null;
  readonly demand: Demand;
  /** rows that earlier pages showed */
  readonly shown: number;
  /** how often a whole cursor was continued */
  readonly rounds: number;
}

/** The longest life of a whole cursor, in budgets (PLAN-080). */
const MOST_ROUNDS = 10;

interface Saving {
  readonly nodes: readonly PlanNode[];
  readonly saved: Map<string, StoredNode>;
}

/** A node that has ended keeps its rows only; any other says how it goes on. False if it cannot. */
function saveFeed(saving: Saving, feed: Feed, from: number): boolean {
  const rows = feed.rows.slice(from);
  if (feed.ending.kind === "ended") {
    const node = saving.nodes.find(({ id }) => id === feed.id);
    if (node !== undefined) saving.saved.set(feed.id, { node, state: {}, rows, ended: true });
    return node !== undefined;
  }
  const place = feed.reader.save();
  if (place === null) return false;
  const { node, state, used } = place;
  saving.saved.set(feed.id, { node, state, rows, ended: false });
  return feed.reader.sources.every((source) => saveFeed(saving, source, used ?? 0));
}

/** A chain made anew from all rows of what was cut (PLAN-080, whole cursors). */
function saveAnew(saving: Saving, feed: Feed): boolean {
  const place = feed.reader.save();
  if (place === null) return false;
  saving.saved.set(feed.id, { node: place.node, state: {}, rows: [], ended: false });
  return feed.reader.sources.every((source) =>
    feed.reader.whole === true && !madeOfCut(source)
      ? saveFeed(saving, source, 0)
      : saveAnew(saving, source),
  );
}

/** Whether the rows were made of all rows of a source that a budget cut. */
function madeOfCut(feed: Feed): boolean {
  const { partial, reader } = feed;
  if (reader.whole === true) return partial !== null && isStopReason(partial);
  return reader.sources.some(madeOfCut);
}

function hasMore(feed: Feed, shown: number): boolean {
  const { kind } = feed.ending;
  return shown < feed.rows.length || kind === "open" || kind === "cut";
}

function storedNodes(saving: Saving): Json {
  return [...saving.saved.values()].map((each): JsonObject => ({
    // A plan node is plain JSON by construction.
    node: each.node as unknown as JsonObject,
    state: each.state,
    rows: storeRows(each.rows),
    ended: each.ended,
  }));
}

export interface CursorPlace {
  readonly label: string;
  readonly nodes: readonly PlanNode[];
  readonly entryId: string | null;
  readonly demand: Demand;
  readonly before: number;
  readonly rounds: number;
  readonly digests: Readonly<Record<string, string>>;
}

/** The cursor of a result that shows the first rows of a node, or null if that is all (PLAN-080). */
export function saveCursor(feed: Feed, shown: number, place: CursorPlace): Cursor | null {
  const saving: Saving = { nodes: place.nodes, saved: new Map() };
  const whole = madeOfCut(feed);
  if (whole ? place.rounds >= MOST_ROUNDS : !hasMore(feed, shown)) return null;
  if (!(whole ? saveAnew(saving, feed) : saveFeed(saving, feed, shown))) return null;
  return {
    version: 1,
    kind: whole ? "whole" : "row",
    label: place.label,
    node: feed.id,
    digests: place.digests,
    state: {
      nodes: storedNodes(saving),
      entry_id: place.entryId,
      demand: place.demand === "all" && !whole ? "page" : place.demand,
      shown: whole ? 0 : place.before + shown,
      rounds: whole ? place.rounds + 1 : 0,
    },
  };
}

function storedNode(value: Json): StoredNode {
  if (!isObject(value) || !isObject(value["node"]) || !isObject(value["state"])) {
    throw new Error("a cursor holds no node where one is expected");
  }
  return {
    node: value["node"] as unknown as PlanNode,
    state: value["state"],
    rows: rowsFrom(value["rows"]),
    ended: value["ended"] === true,
  };
}

function demandFrom(value: Json | undefined): Demand {
  if (isObject(value) && typeof value["rows"] === "number") return { rows: value["rows"] };
  return value === "all" ? "all" : "page";
}

/** Unpacks a cursor of this package; anything else is a broken invariant. */
export function readCursor(cursor: Cursor): CursorState {
  const { nodes, entry_id: entryId, demand, shown, rounds } = cursor.state;
  if (!isArray(nodes)) throw new Error("a cursor holds no nodes");
  return {
    nodes: nodes.map(storedNode),
    entryId: typeof entryId === "string" ? entryId : null,
    demand: demandFrom(demand),
    shown: typeof shown === "number" ? shown : 0,
    rounds: typeof rounds === "number" ? rounds : 0,
  };
}
