import type { Json, JsonObject, PlanValue, ValueType } from "@plasm/core";
import { cursorPaths, type DeriveNode, holesOf, WORK } from "@plasm/core/internal";
import { isKnown } from "../decode/entity-row.ts";
import { isObject, type Size, sizeOf } from "../base/json-kinds.ts";
import { RunStop } from "../limits/limits.ts";
import { type ColumnTypes, pathType, type Row, rowName } from "../rows/row.ts";
import { storeTypes, typesFrom } from "../rows/stored-row.ts";
import { RunFailure } from "../base/run-failure.ts";
import { type RunEngine, type RowSchema, rowsName, schemaOf } from "./engine.ts";
import type { Demand, Feed, ReadStep, ReplayPoint, RowReader, SavedNode } from "./feed.ts";
import { hydrate } from "./hydrate.ts";
import { finished, openItem } from "./resumed-feed.ts";
import { fillShared, resolveValue } from "./resolve-value.ts";
import { neededNames, wholeBases } from "./row-filter.ts";
import { takeRows } from "./whole-source.ts";
import { wordType } from "../rows/cell-key.ts";
import { isPlain, plainCells } from "./derived-cells.ts";
import { RowWork } from "../rows/row-work.ts";

type Columns = DeriveNode["columns"];

/** Cells that are computed before what they came to is counted. */
const PORTION_CELLS = 4_096;

/** Pieces of work after which what rows came to is counted, and others have their turn. */
const PORTION_PIECES = 50_000;

/** Rows that are computed together where their cells may have to be asked for. */
const COMPUTED_AT_ONCE = 4;

/** Whether anything in a value is made by an operation. */
function computes(value: PlanValue): boolean {
  if ("args" in value) return true;
  if ("list" in value) return value.list.some(computes);
  if ("obj" in value) return Object.values(value.obj).some(computes);
  return "ref" in value && Object.values(value.ref.key).some(computes);
}

/** How many cells a value has for a row at least; the row itself has those of its columns. */
function cellsOfValue(value: PlanValue, width: number): number {
  if ("row" in value) return value.row.length === 0 ? width : 1;
  const parts = (values: readonly PlanValue[]): number =>
    values.reduce((sum, each) => sum + cellsOfValue(each, width), 1);
  if ("list" in value) return parts(value.list);
  if ("obj" in value) return parts(Object.values(value.obj));
  if ("args" in value) return parts(value.args);
  return "ref" in value ? parts(Object.values(value.ref.key)) : 1;
}

function cellsFor(columns: Columns, row: Row | undefined): number {
  const width = (row?.cells ?? row?.base?.fields)?.size ?? 1;
  return columns.reduce((sum, [, value]) => sum + cellsOfValue(value, width), 0);
}

/** What rows come to when they are written out. */
function sizeOfRows(rows: readonly Row[]): Size {
  let [cells, bytes] = [0, 0];
  for (const row of rows) {
    for (const cell of row.cells?.values() ?? []) {
      const size = sizeOf(cell);
      cells += size.cells;
      bytes += size.bytes;
    }
  }
  return { cells, bytes };
}

class DeriveReader implements RowReader {
  readonly sources: readonly Feed[];
  readonly #engine: RunEngine;
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
  /** cells that were counted before they were made, and are not made yet */
  #counted = 0;

  constructor(engine: RunEngine, feed: Feed, node: DeriveNode, state: JsonObject | null) {
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
    const rows: Row[] = [];
    while (rows.length < ready.length) {
      const at = rows.length;
      await (at === 0 ? this.#engine.nextTurn() : this.#engine.pause());
      const portion = await this.#portion(ready, at, columns, types);
      rows.push(...portion);
      if (portion.length > 0) continue;
      this.#stop = new RunStop("work");
      break;
    }
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

  anew(from: number): ReplayPoint | null {
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

  /** Rows from `at` on, so many that little is made before it is counted; none where the work of the run is used up. */
  async #portion(
    ready: readonly Row[],
    at: number,
    columns: Columns,
    types: ColumnTypes,
  ): Promise<readonly Row[]> {
    const { rows: budget } = this.#engine;
    const name = () => rowsName(this.#engine, this.#node.id);
    let cells = 0;
    let end = at;
    while (end < ready.length && (end === at || cells < PORTION_CELLS)) {
      const own = cellsFor(columns, ready[end]);
      if (this.#engine.budget.takeWork(1, own * WORK.computed) === 0) break;
      cells += own;
      end += 1;
    }
    await budget.compute(name, { cells, bytes: 0 });
    const first = this.#before + this.#used + at;
    const taken = ready.slice(at, end);
    this.#counted = cells;
    return columns.every(([, value]) => isPlain(value))
      ? this.#plain(taken, first, columns, types)
      : this.#asking(taken, first, columns, types);
  }

  /** Rows whose cells ask for nothing: no promise is made for any of them. What they come to is counted as it grows. */
  async #plain(
    rows: readonly Row[],
    first: number,
    columns: Columns,
    types: ColumnTypes,
  ): Promise<readonly Row[]> {
    let index = first;
    const fault = (detail: string): void => this.#fault(detail, index);
    const work = new RowWork();
    const cellsOf = plainCells(columns, schemaOf(this.#engine, rows), fault, work);
    const made: Row[] = [];
    let from = 0;
    let pieces = 0;
    for (const [offset, row] of rows.entries()) {
      index = first + offset;
      made.push(derivedRow(row, cellsOf(row), types));
      pieces += work.pieces();
      if (pieces < PORTION_PIECES && offset < rows.length - 1) continue;
      await this.#count(made.slice(from), pieces);
      [from, pieces] = [made.length, 0];
    }
    return made;
  }

  /** Rows whose cells may have to be asked for: together, but few at a time where what they hold is computed. */
  async #asking(
    rows: readonly Row[],
    first: number,
    columns: Columns,
    types: ColumnTypes,
  ): Promise<readonly Row[]> {
    const together = columns.some(([, value]) => computes(value)) ? COMPUTED_AT_ONCE : rows.length;
    const made: Row[] = [];
    while (made.length < rows.length) {
      const work = new RowWork();
      const some = await Promise.all(
        rows
          .slice(made.length, made.length + together)
          .map((row, at) => this.#derived(row, first + made.length + at, { columns, types, work })),
      );
      made.push(...some);
      await this.#count(some, work.pieces());
    }
    return made;
  }

  /** Counts what rows came to and took, and gives others their turn where that was much. */
  async #count(rows: readonly Row[], pieces: number): Promise<void> {
    const { rows: budget, budget: run } = this.#engine;
    const { cells, bytes } = sizeOfRows(rows);
    const more = Math.max(0, cells - this.#counted);
    this.#counted = Math.max(0, this.#counted - cells);
    await budget.compute(() => rowsName(this.#engine, this.#node.id), { cells: more, bytes });
    run.takeWork(1, pieces);
    if (pieces >= PORTION_PIECES) await this.#engine.pause();
  }

  /** A cell that its row does not allow is null, and what is made of it is not whole (LANG-048). */
  #fault(detail: string, index: number): void {
    this.#feed.log.add("cell_unfit", detail, index);
    this.#feed.mark("cell_unfit");
  }

  async #derived(
    row: Row,
    index: number,
    { columns, types, work }: { columns: Columns; types: ColumnTypes; work: RowWork },
  ): Promise<Row> {
    const feed = openItem(this.#engine, this.#feed, row, index, () => finished);
    const fault = (detail: string): void => this.#fault(detail, index);
    const use = { engine: this.#engine, feed, slot: null, fault, work };
    try {
      const cells = await Promise.all(
        columns.map(async ([name, value]) => [name, await resolveValue(value, use)] as const),
      );
      return derivedRow(row, new Map(cells), types);
    } catch (error) {
      if (error instanceof RunFailure) throw new RunFailure(error.failure, index);
      throw error;
    }
  }
}

/** A row of cells that goes by the name of the row it was made of. */
function derivedRow(row: Row, cells: ReadonlyMap<string, Json>, types: ColumnTypes): Row {
  const name = rowName(row);
  const own = { base: null, cells, joined: NOTHING_JOINED, types };
  return name === null ? own : { ...own, name };
}

const NOTHING_JOINED: Row["joined"] = new Map();

/** One new row per row, in order; its values may be cells of the row (LANG-071). */
export const deriveNode = (
  engine: RunEngine,
  feed: Feed,
  node: DeriveNode,
  state: JsonObject | null,
): RowReader => new DeriveReader(engine, feed, node, state);

/** The type of a value that is a cell; null for any other. */
function cellType(engine: RunEngine, value: PlanValue, source: RowSchema): ValueType | null {
  if ("row" in value && value.row.length > 0) {
    return pathType(source.cgs, source.entity, value.row, source.types);
  }
  if (!("from" in value) || value.path.length === 0) return null;
  const { cgs, entity, types } = schemaOf(engine, engine.feedOf(value.from).rows);
  return pathType(cgs, entity, value.path, types);
}

/**
 * The types of derived columns: of cells those of their own columns, which say more than a plan's
 * words, of anything else what the plan says.
 */
function derivedTypes(engine: RunEngine, node: DeriveNode, source: RowSchema): ColumnTypes {
  const words = new Map(node.result.columns ?? []);
  return new Map(
    node.columns.map(([name, value]) => [
      name,
      cellType(engine, value, source) ?? wordType(words.get(name) ?? "json"),
    ]),
  );
}
