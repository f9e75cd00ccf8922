import type { JsonObject } from "@plasm/core";
import { isKnown } from "../decode/merge-row.ts";
import { isObject } from "../json-kinds.ts";
import type { RunStop } from "../limits/budget.ts";
import { type ColumnTypes, type Row, rowName } from "../rows/row.ts";
import { storeTypes, typesFrom } from "../rows/stored-row.ts";
import { RunFailure } from "../run-failure.ts";
import { derivedTypes } from "./derive-types.ts";
import type { Engine } from "./engine.ts";
import type { Anew, Demand, Feed, ReadStep, RowReader, SavedNode } from "./feed.ts";
import { hydrate } from "./hydrate.ts";
import { fillShared } from "./fill-shared.ts";
import { finished, openItem } from "./item-feed.ts";
import type { DeriveNode } from "./node-types.ts";
import { cursorPaths, holesOf } from "./plan-values.ts";
import { resolveValue } from "./resolve-value.ts";
import { neededNames, wholeBases } from "./row-filter.ts";
import { schemaOf } from "./row-catalog.ts";
import { takeRows } from "./take-rows.ts";

type Columns = DeriveNode["columns"];

class DeriveReader implements RowReader {
  readonly sources: readonly Feed[];
  readonly #engine: Engine;
  readonly #feed: Feed;
  readonly #node: DeriveNode;
  readonly #source: Feed;
  readonly #before: number;
  readonly #paths: readonly (readonly string[])[];
  #types: ColumnTypes | null;
  /** the columns with what is the same for every row filled in, once there is one */
  #columns: Columns | null = null;
  #used = 0;
  #stop: RunStop | null = null;

  constructor(engine: Engine, feed: Feed, node: DeriveNode, state: JsonObject | null) {
    this.#engine = engine;
    this.#feed = feed;
    this.#node = node;
    this.#source = engine.feedOf(node.source);
    this.sources = [this.#source];
    this.#before = typeof state?.["done"] === "number" ? state["done"] : 0;
    this.#types = isObject(state?.["types"]) ? typesFrom(state["types"]) : null;
    this.#paths = cursorPaths(node.columns.map(([, value]) => value));
  }

  async read(have: number, demand: Demand): Promise<ReadStep> {
    if (this.#stop !== null) throw this.#stop;
    await this.#needInputs();
    const { rows: taken, last } = await takeRows(this.#source, this.#used, have, demand);
    if (taken.length === 0) return { rows: [], ended: last };
    const columns = (this.#columns ??= await this.#filledColumns());
    const ready = await this.#hydrated(taken);
    this.#types ??= derivedTypes(this.#engine, this.#node, schemaOf(this.#engine, taken));
    const types = this.#types;
    await this.#engine.nextTurn();
    const rows = await Promise.all(
      ready.map((row, at) => this.#derived(row, this.#before + this.#used + at, columns, types)),
    );
    this.#used += rows.length;
    return { rows, ended: this.#stop === null && last };
  }

  save(): SavedNode | null {
    const { columns: declared } = this.#node;
    // What a column takes from other nodes is not part of a cursor.
    const isWhole = holesOf(declared.map(([, value]) => value)).length === 0;
    const columns = this.#columns ?? (isWhole ? declared : null);
    if (columns === null) return null;
    const types = this.#types === null ? null : storeTypes(this.#types);
    const state: JsonObject = { done: this.#before + this.#used, types };
    return { node: { ...this.#node, columns }, state, used: this.#used };
  }

  anew(from: number): Anew | null {
    const saved = this.save();
    return saved === null ? null : { ...saved, state: { ...saved.state, done: from }, from };
  }

  /** What columns take from other nodes is read before its rows, whose budgets are the same. */
  async #needInputs(): Promise<void> {
    if (this.#columns !== null) return;
    const holes = holesOf(this.#node.columns.map(([, value]) => value));
    await Promise.all(holes.map(({ from }) => this.#engine.feedOf(from).needInHand({ rows: 1 })));
  }

  #filledColumns(): Promise<Columns> {
    const use = { engine: this.#engine, feed: this.#feed, slot: null };
    return Promise.all(
      this.#node.columns.map(
        async ([name, value]) => [name, await fillShared(value, use)] as const,
      ),
    );
  }

  /** Rows whose cells are known as far as can be, up to the first that a budget kept from it. */
  async #hydrated(rows: readonly Row[]): Promise<readonly Row[]> {
    const names = neededNames(this.#paths, rows);
    const bases = wholeBases(rows);
    const stopped = await hydrate(this.#engine, this.#feed, bases, names, names);
    if (stopped === null) return rows;
    this.#stop = stopped;
    const lacking = rows.findIndex(
      ({ base, cells }) =>
        base !== null && cells === null && names.some((name) => !isKnown(base, name)),
    );
    return lacking < 0 ? rows : rows.slice(0, lacking);
  }

  async #derived(row: Row, index: number, columns: Columns, types: ColumnTypes): Promise<Row> {
    const feed = openItem(this.#engine, this.#feed, row, index, () => finished);
    const use = { engine: this.#engine, feed, slot: null };
    try {
      const cells = await Promise.all(
        columns.map(async ([name, value]) => [name, await resolveValue(value, use)] as const),
      );
      const name = rowName(row);
      const own = { base: null, cells: new Map(cells), joined: new Map(), types };
      return name === null ? own : { ...own, name };
    } catch (error) {
      if (error instanceof RunFailure) throw new RunFailure(error.failure, index);
      throw error;
    }
  }
}

/** One new row per row, in order; its values may be cells of the row (LANG-071). */
export const deriveNode = (
  engine: Engine,
  feed: Feed,
  node: DeriveNode,
  state: JsonObject | null,
): RowReader => new DeriveReader(engine, feed, node, state);
