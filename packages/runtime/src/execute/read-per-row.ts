import type { JsonObject, PlanNode } from "@plasm/core";
import { isArray, isObject } from "../json-kinds.ts";
import { isStopReason, RunStop } from "../limits/budget.ts";
import { FIXED } from "../limits/limits.ts";
import type { Row } from "../rows/row.ts";
import { type Failure, RunFailure } from "../run-failure.ts";
import type { Engine } from "./engine.ts";
import {
  type Demand,
  type Feed,
  type ReadStep,
  type RowReader,
  type SavedNode,
  SourceEnded,
} from "./feed.ts";
import { openItem } from "./item-feed.ts";
import type { ForEachNode, ReadBody } from "./node-types.ts";
import { holesOf, requestValues } from "./plan-values.ts";

/** Opens the read of a node, at its beginning or where a cursor left it. */
export type OpenReader = (
  engine: Engine,
  feed: Feed,
  node: PlanNode,
  state: JsonObject | null,
) => RowReader;

/** The body as a node of its own. */
function bodyNode(node: ForEachNode, body: ReadBody): PlanNode {
  const { id, stage, result } = node;
  return { ...body, id, stage, result, effect_class: "read" };
}

/** The item that a cut left half read, from its JSON. */
function savedItem(state: JsonObject | null): SavedNode | null {
  const item = state?.["item"];
  if (!isObject(item) || !isObject(item["node"]) || !isObject(item["state"])) return null;
  // A plan node is plain JSON by construction.
  return { node: item["node"] as unknown as PlanNode, state: item["state"] };
}

const count = (state: JsonObject | null, name: string): number => {
  const value = state?.[name];
  return typeof value === "number" ? value : 0;
};

/**
 * Reads once per row, concurrently, rows in the order of their source and deduplicated (LANG-071); a
 * failing row is a diagnostic, and only if all fail does the node fail (RUN-054).
 */
class ReadPerRow implements RowReader {
  readonly sources: readonly Feed[];
  readonly #engine: Engine;
  readonly #feed: Feed;
  readonly #node: ForEachNode;
  readonly #body: PlanNode;
  readonly #open: OpenReader;
  readonly #source: Feed;
  readonly #seen: Set<string>;
  /** source rows done before this run */
  readonly #before: number;
  #restored: SavedNode | null;
  #attempted: number;
  #failed: number;
  #used = 0;
  #ready = false;
  #cut: Feed | null = null;
  #firstFailure: Failure | null = null;

  constructor(
    engine: Engine,
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
    this.#open = open;
    this.#source = engine.feedOf(node.source);
    this.sources = [this.#source];
    const seen = state?.["seen"];
    this.#seen = new Set(isArray(seen) ? seen.filter((one) => typeof one === "string") : []);
    this.#before = count(state, "done");
    this.#attempted = count(state, "attempted");
    this.#failed = count(state, "failed");
    this.#restored = savedItem(state);
  }

  async read(_have: number, demand: Demand): Promise<ReadStep> {
    if (this.#cut !== null) throw this.#stopOf(this.#cut);
    await this.#needInputs();
    const rows = await this.#nextRows(demand === "all" ? FIXED.perRun : 1);
    if (rows.length === 0) return this.#finish([]);
    const items = rows.map((row, at) => this.#item(row, at));
    await Promise.all(items.map((item) => item.read("all")));
    const given = this.#collect(items);
    const done = this.#cut === null && this.#source.isUsedUp(this.#used);
    return done ? this.#finish(given) : { rows: given, ended: false };
  }

  /** Goes on at the source row, and its page, where it was cut (RUN-054). */
  save(): SavedNode | null {
    // What a body takes from other nodes is not part of a cursor.
    if (holesOf(requestValues(this.#node.body)).length > 0) return null;
    const item = this.#cut === null ? this.#restored : this.#cut.reader.save();
    const state: JsonObject = {
      seen: [...this.#seen],
      done: this.#before + this.#used,
      attempted: this.#attempted - (this.#cut === null ? 0 : 1),
      failed: this.#failed,
      item: item === null ? null : { node: item.node as unknown as JsonObject, state: item.state },
    };
    return { node: this.#node, state, used: this.#used };
  }

  /** What the body takes from other nodes must be there, or the node ends as they did. */
  async #needInputs(): Promise<void> {
    if (this.#ready) return;
    this.#ready = true;
    for (const { from, many } of holesOf(requestValues(this.#node.body))) {
      await this.#engine.feedOf(from).need(many ? "all" : { rows: 1 });
    }
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

  #item(row: Row, at: number): Feed {
    const index = this.#before + this.#used + at;
    const from = this.#restored;
    this.#restored = null;
    const { node, state } = from ?? { node: this.#body, state: null };
    return openItem(this.#engine, this.#feed, row, index, (own) =>
      this.#open(this.#engine, own, node, state),
    );
  }

  /** The rows of items in order, up to the first that was cut; later ones are read again. */
  #collect(items: readonly Feed[]): readonly Row[] {
    const rows: Row[] = [];
    for (const item of items) {
      this.#attempted += 1;
      const { ending, partialMark } = item;
      if (partialMark !== null) this.#feed.mark(partialMark);
      if (ending.kind === "failed") this.#fail(ending.error, item.item?.index ?? 0);
      else rows.push(...this.#fresh(item.rows));
      if (ending.kind === "cut") {
        this.#cut = item;
        return rows;
      }
      this.#used += 1;
    }
    return rows;
  }

  #stopOf({ ending }: Feed): Error {
    if (ending.kind === "cut" && isStopReason(ending.by)) return new RunStop(ending.by);
    return new SourceEnded(this.#source);
  }

  #fail(what: Failure, index: number): void {
    this.#failed += 1;
    this.#firstFailure ??= what;
    this.#feed.log.add("source_failed", `${what.code}: ${what.message}`, index);
    this.#feed.mark("source_failed");
  }

  #fresh(rows: readonly Row[]): readonly Row[] {
    return rows.filter(({ base }) => {
      const text = base?.identity?.text;
      if (text === undefined) return true;
      if (this.#seen.has(text)) return false;
      this.#seen.add(text);
      return true;
    });
  }

  #finish(rows: readonly Row[]): ReadStep {
    const all = this.#failed === this.#attempted;
    if (this.#firstFailure !== null && all) throw new RunFailure(this.#firstFailure);
    return { rows, ended: true };
  }
}

/** A read per row of a node, at its beginning or where a cursor left it. */
export const readPerRow = (
  engine: Engine,
  feed: Feed,
  node: ForEachNode,
  body: ReadBody,
  state: JsonObject | null,
  open: OpenReader,
): RowReader => new ReadPerRow(engine, feed, node, body, state, open);
