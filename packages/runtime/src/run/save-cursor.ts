import type { Json, JsonObject, PlanNode } from "@plasm/core";
import { isStopReason } from "../limits/limits.ts";
import { rowsFrom, storeRowsInSteps, unreadableCursor } from "../rows/stored-row.ts";
import { isArray, isObject } from "../base/json-kinds.ts";
import type { Row } from "../rows/row.ts";
import { LaterRows, type RowSequence } from "../rows/row-list.ts";
import type { Pausable } from "../base/turns.ts";
import type { Demand, Feed, ShortEnd } from "./feed.ts";
import { diagnosticsOf } from "./node-outcome.ts";
import type { Cursor } from "./run-types.ts";

/** A node that goes into a cursor: what it reads, where it stands, and rows it has left over. */
interface SavedNode {
  readonly node: PlanNode;
  /** null for a node that is read no more */
  readonly state: JsonObject | null;
  /** rows that come next */
  readonly rows: RowSequence;
  readonly ended: boolean;
  /** how many rows earlier pages gave */
  readonly before: number;
  /** those rows, where they stand as they are */
  readonly past: readonly Row[];
  /** why rows are missing behind the last of them */
  readonly short: ShortEnd | null;
}

/** A node of a cursor that is read again. */
export interface StoredNode extends SavedNode {
  readonly rows: readonly Row[];
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
  readonly saved: Map<string, SavedNode>;
}

const hasEnded = ({ ending }: Feed): boolean => ending.kind === "ended";

/** Keeps rows that stand as they are: an effect's, a literal's, or those that requests were filled with. */
function saveStanding({ nodes, saved }: Saving, feed: Feed, before: number): boolean {
  const node = nodes.find(({ id }) => id === feed.id);
  const known = saved.get(feed.id);
  const differs = known !== undefined && (known.state !== null || known.before !== before);
  if (node === undefined || differs) return false;
  const all = feed.allRows;
  const [past, rows] = [all.slice(0, before), all.slice(before)];
  saved.set(feed.id, { node, state: null, rows, ended: true, before, past, short: null });
  return true;
}

/** What a node is made of, too. */
function saveInputs(saving: Saving, feed: Feed, save: (source: Feed) => boolean): boolean {
  const { sources, constants = [] } = feed.reader;
  return sources.every(save) && constants.every((each) => saveStanding(saving, each, 0));
}

/** Which rows of a node go into a cursor. */
interface Kept {
  /** how many of its rows in hand were given */
  readonly given: number;
  /** from which row on, over all pages, they may have to be made anew */
  readonly keep: number;
  /** whether none is left over, since its consumer has ended: it is there to be read anew */
  readonly idle: boolean;
}

/** Why rows are missing behind the last of a feed, as its text says it. */
function shortEnd(feed: Feed): ShortEnd | null {
  const reason = feed.short;
  if (reason === null) return null;
  const said = diagnosticsOf(feed).find(({ code }) => code === reason);
  return { reason, detail: said?.detail ?? "" };
}

/** A node that has ended keeps its rows; any other says how it goes on. False if it cannot. */
function saveFeed(saving: Saving, feed: Feed, { given, keep, idle }: Kept): boolean {
  const { reader } = feed;
  const before = feed.before + given;
  if (reader.stands === true) return hasEnded(feed) && saveStanding(saving, feed, before);
  const ended = hasEnded(feed);
  const rows = idle ? [] : new LaterRows(feed.rows, given);
  const short = shortEnd(feed);
  const place = reader.save(before, keep);
  if (place !== null) {
    const { node, state, used = 0 } = place;
    saving.saved.set(feed.id, { node, state, rows, ended, before, past: [], short });
    const from = reader.anew(keep)?.from;
    const done = saveInputs(saving, feed, (source) => {
      const first = from ?? source.before + used;
      return saveFeed(saving, source, { given: used, keep: first, idle: idle || ended });
    });
    if (done || !ended) return done;
  }
  const node = saving.nodes.find(({ id }) => id === feed.id);
  if (!ended || node === undefined) return false;
  saving.saved.set(feed.id, { node, state: null, rows, ended, before, past: [], short });
  return true;
}

/** A chain whose rows from an index on are made anew, after an effect (PLAN-083). False if it cannot be. */
function saveAnew(saving: Saving, feed: Feed, from: number): boolean {
  if (feed.reader.stands === true) return hasEnded(feed) && saveStanding(saving, feed, from);
  const place = feed.reader.anew(from);
  if (place === null) return false;
  const { node, state } = place;
  saving.saved.set(feed.id, {
    node,
    state,
    rows: [],
    ended: false,
    before: from,
    past: [],
    short: null,
  });
  return saveInputs(saving, feed, (source) => saveAnew(saving, source, place.from));
}

/** A chain made anew from all rows of what was cut (PLAN-080, whole cursors). */
function saveWhole(saving: Saving, feed: Feed): boolean {
  if (feed.reader.stands === true) return hasEnded(feed) && saveStanding(saving, feed, 0);
  const place = feed.reader.anew(0);
  if (place === null) return false;
  const { node, state } = place;
  saving.saved.set(feed.id, {
    node,
    state,
    rows: [],
    ended: false,
    before: 0,
    past: [],
    short: null,
  });
  return saveInputs(saving, feed, (source) =>
    feed.reader.whole === true && !madeOfCut(source)
      ? saveFeed(saving, source, { given: 0, keep: 0, idle: false })
      : saveWhole(saving, source),
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

function* storedNodes(saved: Saving["saved"]): Pausable<Json> {
  const stored: JsonObject[] = [];
  for (const { node, state, rows, ended, before, past, short } of saved.values()) {
    // A plan node is plain JSON by construction.
    const own = {
      node: node as unknown as JsonObject,
      state,
      rows: yield* storeRowsInSteps(rows),
      ended,
      before,
      ...(short === null ? {} : { unread: short.detail }),
    };
    stored.push(past.length === 0 ? own : { ...own, past: yield* storeRowsInSteps(past) });
  }
  return stored;
}

export interface CursorRef {
  readonly label: string;
  readonly nodes: readonly PlanNode[];
  readonly entryId: string | null;
  readonly demand: Demand;
  readonly before: number;
  readonly rounds: number;
  /** effective digest of a catalog */
  readonly digestOf: (entryId: string) => string;
}

const entryIdsOf = (node: PlanNode): readonly string[] => {
  if (node.kind === "for_each") return [node.body.catalog.entry_id];
  return "catalog" in node ? [node.catalog.entry_id] : [];
};

/** The nodes of a cursor that read: those whose rows do not stand as they are. */
function readNodes(saved: Iterable<SavedNode>): readonly PlanNode[] {
  return [...saved].flatMap(({ node, state }) => (state === null ? [] : [node]));
}

/** How the rows after the first `shown` are made anew, or null if that cannot be said. */
function anewNodes(nodes: readonly PlanNode[], feed: Feed, from: number): Saving["saved"] | null {
  const saving: Saving = { nodes, saved: new Map() };
  return saveAnew(saving, feed, from) ? saving.saved : null;
}

/**
 * The cursor of a result that shows the first rows of a node, or null if that is all (PLAN-080). What it holds is
 * taken at once; writing it as JSON may pause.
 */
export function* saveCursorInSteps(
  feed: Feed,
  shown: number,
  place: CursorRef,
): Pausable<Cursor | null> {
  const { nodes, digestOf } = place;
  const saving: Saving = { nodes, saved: new Map() };
  const whole = madeOfCut(feed);
  if (whole ? place.rounds >= MOST_ROUNDS : !hasMore(feed, shown)) return null;
  const next = feed.before + shown;
  const rest = { given: shown, keep: next, idle: false };
  if (!(whole ? saveWhole(saving, feed) : saveFeed(saving, feed, rest))) return null;
  const anew = anewNodes(nodes, feed, whole ? 0 : next);
  const all = [...saving.saved.values(), ...(anew?.values() ?? [])];
  const entryIds = new Set(all.flatMap(({ node }) => entryIdsOf(node)));
  return {
    version: 1,
    kind: whole ? "whole" : "row",
    label: place.label,
    node: feed.id,
    digests: Object.fromEntries([...entryIds].map((id) => [id, digestOf(id)])),
    stage: Math.min(...readNodes(all).map((node) => node.stage), Number.MAX_SAFE_INTEGER),
    state: {
      nodes: yield* storedNodes(saving.saved),
      anew: anew === null ? null : yield* storedNodes(anew),
      entry_id: place.entryId,
      demand: place.demand === "all" && !whole ? "page" : place.demand,
      shown: whole ? 0 : place.before + shown,
      rounds: whole ? place.rounds + 1 : 0,
    },
  };
}

function storedNode(value: Json): StoredNode {
  if (!isObject(value) || !isObject(value["node"])) {
    throw unreadableCursor();
  }
  const { node, state, rows, ended, before, past, unread } = value;
  return {
    node: node as unknown as PlanNode,
    state: isObject(state) ? state : null,
    rows: rowsFrom(rows),
    ended: ended === true,
    before: typeof before === "number" ? before : 0,
    past: past === undefined ? [] : rowsFrom(past),
    short: typeof unread === "string" ? { reason: "rows_unread", detail: unread } : null,
  };
}

function demandFrom(value: Json | undefined): Demand {
  if (isObject(value) && typeof value["rows"] === "number") return { rows: value["rows"] };
  return value === "all" ? "all" : "page";
}

/**
 * Unpacks a cursor of this package; `stale` says that an effect came after its rows were read, so
 * that those left over are made anew (PLAN-083). Throws RunFailure for what it cannot read.
 */
export function unpackCursor(cursor: Cursor, stale: boolean): CursorState {
  const { nodes, anew, entry_id: entryId, demand, shown, rounds } = cursor.state;
  const stored = stale ? anew : nodes;
  if (!isArray(stored)) throw unreadableCursor();
  return {
    nodes: stored.map(storedNode),
    entryId: typeof entryId === "string" ? entryId : null,
    demand: demandFrom(demand),
    shown: typeof shown === "number" ? shown : 0,
    // What starts over has its whole life before it.
    rounds: typeof rounds === "number" && !stale ? rounds : 0,
  };
}
