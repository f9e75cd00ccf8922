import type { Json, JsonObject, PlanNode } from "@plasm/core";
import {
  type ForEachNode,
  type Hole,
  holesOf,
  type ReadBody,
  requestValues,
} from "@plasm/core/internal";
import { isArray, isObject } from "../base/json-kinds.ts";
import { isStopReason, RunStop } from "../limits/limits.ts";
import { type Row, rowName } from "../rows/row.ts";
import { type FailureDetail, RunFailure } from "../base/run-failure.ts";
import type { RunEngine } from "./engine.ts";
import {
  type Demand,
  type Feed,
  type ReadStep,
  type ReplayPoint,
  type RowReader,
  type SavedNode,
  SourceEnded,
} from "./feed.ts";
import { inTurn } from "./in-turn.ts";
import { openItem } from "./resumed-feed.ts";
import { type MarkedPlace, PageBookmarks, ShownRows, withShown } from "./marks.ts";

/** The item that a cut left half read, of the source row of this name; `before` rows it gave. */
interface CutItem {
  readonly node: PlanNode;
  readonly state: JsonObject;
  readonly before: number;
  readonly of: string | null;
  /** how it goes on after an effect (PLAN-083) */
  readonly anew: Pick<SavedNode, "node" | "state"> | null;
}

// A plan node is plain JSON by construction.
const nodeJson = (node: PlanNode): JsonObject => node as unknown as JsonObject;

function savedNode(value: Json | undefined): Pick<SavedNode, "node" | "state"> | null {
  if (!isObject(value) || !isObject(value["node"]) || !isObject(value["state"])) return null;
  return { node: value["node"] as unknown as PlanNode, state: value["state"] };
}

/** The item of a saved state, or null. */
function savedItem(state: JsonObject | null): CutItem | null {
  const item = state?.["item"];
  const saved = savedNode(item);
  if (saved === null || !isObject(item)) return null;
  const { before, of, anew } = item;
  return {
    ...saved,
    before: typeof before === "number" ? before : 0,
    of: typeof of === "string" ? of : null,
    anew: savedNode(anew),
  };
}

/** The item that a cut left half read, or null where it cannot go on. */
function cutItem(item: Feed): CutItem | null {
  const before = item.before + item.rows.length;
  const saved = item.reader.save(before, before);
  if (saved === null) return null;
  const of = item.item === null ? null : rowName(item.item.row);
  return { ...saved, before, of, anew: item.reader.anew(before) };
}

/** A half read item as JSON. */
function storeItem({ node, state, before, of, anew }: CutItem): JsonObject {
  const own = { node: nodeJson(node), state, before, of };
  return anew === null ? own : { ...own, anew: { node: nodeJson(anew.node), state: anew.state } };
}

/** Opens the read of a node, at its beginning or where a cursor left it. */
export type OpenReader = (
  engine: RunEngine,
  feed: Feed,
  node: PlanNode,
  state: JsonObject | null,
) => RowReader;

/** The body as a node of its own. */
function bodyNode(node: ForEachNode, body: ReadBody): PlanNode {
  const { id, stage, result } = node;
  return { ...body, id, stage, result, effect_class: "read" };
}

const count = (state: JsonObject | null, name: string): number => {
  const value = state?.[name];
  return typeof value === "number" ? value : 0;
};

/** The state in which a source row is read again of which rows were given (PLAN-083). */
function perRowAgain(state: JsonObject, { place, given }: MarkedPlace) {
  const bare = given.filter((name) => name === null);
  const seen = isArray(state["seen"]) ? state["seen"] : [];
  const source = Number(place["source"]);
  return {
    source,
    state: {
      ...withShown(place, bare),
      done: source,
      attempted: source,
      seen: seen.slice(0, Number(place["seen"]) + given.length - bare.length),
    },
  };
}

/**
 * Reads once per row, concurrently, rows in the order of their source and deduplicated (LANG-071); a
 * failing row is a diagnostic, and only if all fail does the node fail (RUN-054).
 */
class ReadPerRow implements RowReader {
  readonly sources: readonly Feed[];
  readonly #engine: RunEngine;
  readonly #feed: Feed;
  readonly #node: ForEachNode;
  readonly #body: PlanNode;
  readonly #holes: readonly Hole[];
  readonly #open: OpenReader;
  readonly #source: Feed;
  readonly #seen: Set<string>;
  /** source rows done before this run */
  readonly #before: number;
  #restored: CutItem | null;
  readonly #marks: PageBookmarks;
  readonly #shown: ShownRows;
  readonly #state: JsonObject | null;
  #began: boolean;
  #attempted: number;
  #failed: number;
  #used = 0;
  #ready = false;
  #cut: Feed | null = null;
  #firstFailure: FailureDetail | null = null;

  constructor(
    engine: RunEngine,
    feed: Feed,
    node: ForEachNode,
    body: ReadBody,
    state: JsonObject | null,
    open: OpenReader,
  ) {
    this.#engine = engine;
    this.#feed = feed;
    this.#node = node;
    this.#body = bodyNode(node, body);
    this.#holes = holesOf(requestValues(node.body));
    this.#open = open;
    this.#source = engine.feedOf(node.source);
    this.sources = [this.#source];
    const seen = state?.["seen"];
    this.#seen = new Set(isArray(seen) ? seen.filter((one) => typeof one === "string") : []);
    this.#before = count(state, "done");
    this.#attempted = count(state, "attempted");
    this.#failed = count(state, "failed");
    this.#restored = savedItem(state);
    this.#marks = new PageBookmarks(state?.["marks"], engine.shelf);
    this.#shown = new ShownRows(state);
    this.#began = this.#marks.open;
    this.#state = state;
  }

  async read(have: number, demand: Demand): Promise<ReadStep> {
    if (this.#cut !== null) throw this.#stopOf(this.#cut);
    await this.#needInputs();
    const rows = await this.#nextRows(demand === "all" ? Number.POSITIVE_INFINITY : 1);
    if (rows.length === 0) return this.#finish([]);
    const given = await this.#readItems(rows, have);
    const done = this.#cut === null && this.#source.isUsedUp(this.#used);
    return done ? this.#finish(given) : { rows: given, ended: false };
  }

  /** The rows of items in order, up to the first that was cut; later ones are read again. */
  async #readItems(rows: readonly Row[], have: number): Promise<readonly Row[]> {
    const before = this.#before + this.#used;
    let begun = 0;
    const given: Row[] = [];
    await inTurn({
      next: () => {
        const row = rows[begun];
        return row === undefined ? null : this.#item(row, before + begun++);
      },
      work: async (item: Feed) => {
        await item.read("all");
        return item;
      },
      isLast: ({ ending }) => ending.kind === "cut",
      take: (item) => {
        const rows = this.#rowsOf(item, this.#feed.before + have + given.length);
        for (const row of rows) given.push(row);
        this.#feed.grow(given.length);
      },
    });
    return given;
  }

  /** what the body takes from other nodes */
  get constants(): readonly Feed[] {
    return this.#holes.map(({ from }) => this.#engine.feedOf(from));
  }

  /** Goes on at the source row, and its page, where it was cut (RUN-054). */
  save(_given: number, keep: number): SavedNode | null {
    // Not read since it was restored: it stands where it stood.
    if (!this.#ready && this.#state !== null) return { node: this.#node, state: this.#state };
    if (this.#holes.some((hole) => !this.#isFilled(hole))) return null;
    const item = this.#cut === null ? this.#restored : cutItem(this.#cut);
    if (this.#cut !== null && item === null) return null;
    const state: JsonObject = {
      seen: [...this.#seen],
      done: this.#before + this.#used,
      attempted: this.#attempted - (this.#cut === null ? 0 : 1),
      failed: this.#failed,
      item: item === null ? null : storeItem(item),
      ...this.#shown.save(),
      marks: this.#marks.save(keep),
    };
    return { node: this.#node, state, used: this.#used };
  }

  /** Reads the source row anew of which rows are left over, without those that were given. */
  anew(from: number): ReplayPoint | null {
    const saved = this.save(from, from);
    if (saved === null) return null;
    const { node, state } = saved;
    if (from === 0) return { node, state: {}, from: 0 };
    const marked = this.#marks.find(from);
    if (marked !== null) {
      const { state: again, source } = perRowAgain(state, marked);
      return { node, state: again, from: source };
    }
    const item = savedItem(state);
    const cut = item === null || item.anew === null ? null : { ...item, ...item.anew };
    const next = { ...state, item: cut === null ? null : storeItem(cut), marks: {} };
    return { node, state: next, from: count(state, "done") };
  }

  /** What the body takes from other nodes must be there, or the node ends as they did. */
  async #needInputs(): Promise<void> {
    if (this.#ready) return;
    this.#ready = true;
    for (const { from, many } of this.#holes) {
      await this.#engine.feedOf(from).need(many ? "all" : { rows: 1 });
    }
  }

  #isFilled({ from, many }: Hole): boolean {
    const { ending, rows } = this.#engine.feedOf(from);
    return ending.kind === "ended" || (!many && rows.length > 0);
  }

  /** The next source rows, at most `most`, within the fan-out budget. */
  async #nextRows(most: number): Promise<readonly Row[]> {
    const { fan_out: fanOut } = this.#engine.budget.limits;
    const to = this.#used + most;
    const cut = await this.#source.needInHand(most > 1 ? "all" : { rows: to });
    const rows = this.#source.rows.slice(this.#used, to);
    if (rows.length === 0 && cut !== null) throw new SourceEnded(this.#source);
    const room = Math.min(most, fanOut - this.#used);
    if (rows.length > 0 && room <= 0) throw new RunStop("fan_out");
    return rows.slice(0, room);
  }

  #item(row: Row, index: number): Feed {
    const restored = this.#restored;
    this.#restored = null;
    // Where its source was read anew, another row may be in that place.
    const same = restored !== null && (restored.of === null || restored.of === rowName(row));
    const { node, state } = same ? restored : { node: this.#body, state: null };
    const item = openItem(this.#engine, this.#feed, row, index, (own) =>
      this.#open(this.#engine, own, node, state),
    );
    const before = same ? restored.before : 0;
    item.restore({ rows: [], ended: false, before, past: [] });
    return item;
  }

  /** The rows of an item that has ended; `at` is the index of the first of them. */
  #rowsOf(item: Feed, at: number): readonly Row[] {
    this.#attempted += 1;
    const { ending, partialMark, short } = item;
    const missing = partialMark ?? short;
    if (missing !== null) this.#feed.mark(missing);
    if (ending.kind === "cut") this.#cut = item;
    if (ending.kind === "failed") {
      this.#fail(ending.error, item.item?.index ?? 0);
      this.#used += 1;
      return [];
    }
    this.#begin(at);
    const rows = this.#fresh(item.rows.slice());
    if (ending.kind !== "cut") this.#used += 1;
    return rows;
  }

  #stopOf({ ending }: Feed): Error {
    if (ending.kind === "cut" && isStopReason(ending.by)) return new RunStop(ending.by);
    return new SourceEnded(this.#source);
  }

  #fail(what: FailureDetail, index: number): void {
    this.#failed += 1;
    this.#firstFailure ??= what;
    this.#feed.log.add("source_failed", `${what.code}: ${what.message}`, index);
    this.#feed.mark("source_failed");
  }

  #fresh(rows: readonly Row[]): readonly Row[] {
    const unseen = rows.filter(({ base }) => {
      const text = base?.identity?.text;
      if (text === undefined) return true;
      if (this.#seen.has(text)) return false;
      this.#seen.add(text);
      return true;
    });
    const fresh = this.#shown.dropBare(unseen);
    this.#marks.give(fresh);
    return fresh;
  }

  /** Notes of which source row the rows that follow are; `at` is the index of the first. */
  #begin(at: number): void {
    // Nameless rows of a source row that was read again are in its beginning.
    if (this.#began) this.#shown.pass();
    this.#began = true;
    const source = this.#before + this.#used;
    this.#marks.begin(at, { source, seen: this.#seen.size, ...this.#shown.save() });
  }

  #finish(rows: readonly Row[]): ReadStep {
    const all = this.#failed === this.#attempted;
    if (this.#firstFailure !== null && all) throw new RunFailure(this.#firstFailure);
    return { rows, ended: true };
  }
}

/** A read per row of a node, at its beginning or where a cursor left it. */
export const readPerRow = (
  engine: RunEngine,
  feed: Feed,
  node: ForEachNode,
  body: ReadBody,
  state: JsonObject | null,
  open: OpenReader,
): RowReader => new ReadPerRow(engine, feed, node, body, state, open);
