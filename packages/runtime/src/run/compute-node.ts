import type { Cgs, Json, JsonObject } from "@plasm/core";
import { type ComputeNode, type PlanColumn, WORK, columnPaths, isPair } from "@plasm/core/internal";
import { type Size, sizeOf } from "../base/json-kinds.ts";
import { RunFailure, failure } from "../base/run-failure.ts";
import { type Pausable, visitEach } from "../base/turns.ts";
import { RunStop } from "../limits/limits.ts";
import { CELL_MEMORY } from "../limits/row-budget.ts";
import {
  type CombinationKey,
  type NoteUnfit,
  cellWork,
  combinationName,
  combinationsOf,
  computedWork,
  keysWork,
} from "../rows/cell-key.ts";
import type { RowSequence } from "../rows/row-list.ts";
import { type Row, type RowColumn, readCell } from "../rows/row.ts";
import { type SortBy, isInOrder, sortInSteps } from "../rows/sort-rows.ts";
import { aggregateNode, groupByNode } from "./compute-aggregate.ts";
import { filterReader } from "./compute-filter.ts";
import { renderNode } from "./compute-render.ts";
import { type RunEngine, rowsName, schemaOf } from "./engine.ts";
import { type Feed, type RowReader, SourceEnded } from "./feed.ts";
import { filledColumn, isKnownOp } from "./filled-columns.ts";
import { hydrate } from "./hydrate.ts";
import { pairNode } from "./pair-node.ts";
import { columnPaths as ownPaths } from "./render-result.ts";
import { neededNames, wholeBases } from "./row-filter.ts";
import {
  type WholeStep,
  keysMemory,
  takeRows,
  tellNumbers,
  wholeReader,
  wholeSource,
} from "./whole-source.ts";

/** Cells that are made before others have a turn: some milliseconds of work. */
const PORTION_CELLS = 16_384;

/** Exactly these columns, in this order; what the list did not load is hydrated (LANG-061, LANG-064). */
function projectNode(
  engine: RunEngine,
  feed: Feed,
  node: ComputeNode,
  paths: readonly (readonly string[])[],
  source: Feed,
): RowReader {
  let used = 0;
  let stop: RunStop | null = null;
  const pieces = (1 + paths.length) * WORK.cell;
  const portion = Math.max(1, Math.floor(PORTION_CELLS / (1 + paths.length)));
  return {
    sources: [source],
    async read(have, demand) {
      if (stop !== null) throw stop;
      const { rows: taken, last } = await takeRows(source, used, have, demand);
      const names = neededNames(paths, taken);
      const stopped = await hydrate(engine, feed, wholeBases(taken), names, names);
      if (stopped !== null) feed.mark(stopped.reason);
      const { cgs } = schemaOf(engine, taken);
      const name = () => rowsName(engine, node.id);
      const most = engine.budget.takeWork(taken.length, pieces);
      const rows: Row[] = [];
      let held = 0;
      while (rows.length < most) {
        if (rows.length > 0) await engine.pause();
        const some = taken.slice(rows.length, Math.min(most, rows.length + portion));
        const size = projectedSize(cgs, some, paths);
        await engine.rows.compute(name, size);
        held += size.cells * CELL_MEMORY + size.bytes;
        for (const row of some) rows.push(projectRow(cgs, row, paths));
      }
      used += rows.length;
      if (most < taken.length) stop = new RunStop("work");
      return { rows, held, ended: stop === null && last };
    },
    save: () => ({ node, state: {}, used }),
    anew: (from) => ({ node, state: {}, from }),
  };
}

/** A row with exactly these columns, named by their paths, identity kept (LANG-061, LANG-064). */
function projectRow(cgs: Cgs | null, row: Row, paths: readonly (readonly string[])[]): Row {
  const cells = new Map<string, Json>();
  for (const path of paths) {
    const value = readCell(cgs, row, path);
    if (value !== undefined) cells.set(path.join("."), value);
  }
  return { ...row, cells };
}

/** What rows of exactly these columns come to when they are written out. */
function projectedSize(
  cgs: Cgs | null,
  rows: readonly Row[],
  paths: readonly (readonly string[])[],
): Size {
  let cells = 0;
  let bytes = 0;
  for (const row of rows) {
    for (const path of paths) {
      const value = readCell(cgs, row, path);
      if (value === undefined) continue;
      const size = sizeOf(value);
      cells += size.cells;
      bytes += size.bytes;
    }
  }
  return { cells, bytes };
}

/** Transforms the rows of one node, without requests but for hydration (LANG-061). */
export function computeReader(
  engine: RunEngine,
  feed: Feed,
  node: ComputeNode,
  state: JsonObject | null,
): RowReader {
  const { op } = node;
  const source = engine.feedOf(node.source);
  const use = { engine, feed, node, source, state };
  if ("filter" in op) return filterReader(use, op.filter);
  if ("sort" in op) return sortNode(use, op);
  if ("limit" in op) return limitNode(node, op.limit, source, state);
  if ("aggregate" in op) return aggregateNode(use, op.aggregate);
  if ("group_by" in op) return groupByNode(use, op.group_by);
  if ("distinct" in op) return distinctNode(use, op.distinct, op.keep);
  if ("singleton" in op) return singletonNode(use);
  if (isPair(node)) return pairNode(use, node);
  if ("project" in op) return projectNode(engine, feed, node, op.project, source);
  if ("pair" in op) throw new Error("a pair is read by its own node");
  return renderNode(use, op.render);
}

/** The first n rows (LANG-061); its source reads no further than that (RUN-076). */
function limitNode(
  node: ComputeNode,
  limit: number,
  source: Feed,
  state: JsonObject | null,
): RowReader {
  const before = typeof state?.["given"] === "number" ? state["given"] : 0;
  const most = limit - before;
  let used = 0;
  return {
    sources: [source],
    async read(have, demand) {
      const wanted = typeof demand === "object" ? used + Math.max(1, demand.rows - have) : most;
      const cut = await source.needInHand({
        rows: Math.min(most, demand === "page" ? used + 1 : wanted),
      });
      const rows = source.rows.slice(used, most);
      if (rows.length === 0 && cut !== null && used < most) throw new SourceEnded(source);
      used += rows.length;
      return { rows, ended: used >= most || source.isUsedUp(used), full: used >= most };
    },
    save: () => ({ node, state: { given: before + used }, used }),
    anew: (from) => ({ node, state: { given: from }, from }),
  };
}

/** A sort as plans have it. */
type SortOp = Extract<ComputeNode["op"], { readonly sort: unknown }>;

/**
 * All rows of its source in order of the keys (LANG-065); what is cut is sorted as far as it came. Where the API gives
 * them in that order, so many of them as are wanted (RUN-078).
 */
function sortNode(step: WholeStep, op: SortOp): RowReader {
  const { engine, feed, node, source } = step;
  const { sort: by, first } = op;
  const paths = columnPaths(by.map(({ path }) => path));
  let known = isKnownOp(node.op) ? node : null;
  let isFull = false;
  return wholeReader({
    ...step,
    known: () => known,
    isFull: () => isFull,
    sources: [source],
    async make() {
      const keys = await Promise.all(
        by.map(async (key) => ({ ...key, path: await filledColumn(step, key.path) })),
      );
      known = { ...node, op: { ...op, sort: keys } };
      const demand = first === undefined ? "all" : { rows: first };
      const whole = await wholeSource(engine, feed, source, paths, demand);
      const { rows, column, unfit } = whole;
      const columns = keys.map(({ path, desc }) => ({ column: column(path), desc }));
      if (first !== undefined && !whole.isAll) {
        await checkOrder(step, rows, columns, first);
        isFull = rows.length >= first;
      }
      const memory = await engine.work(
        keysMemory(
          rows,
          columns.map((each) => each.column),
        ),
      );
      const name = () => rowsName(engine, step.node.id);
      const sorted = await engine.rows.during(name, memory, () =>
        engine.work(sortInSteps(rows, columns, unfit)),
      );
      await tellNumbers(
        step,
        sorted,
        columns.slice(0, 1).map((each) => each.column),
      );
      return sorted;
    },
  });
}

/** Rows that the API was asked for in this order, and of which more may follow. Throws RunFailure where they are in no such order. */
async function checkOrder(
  { engine, node }: WholeStep,
  rows: RowSequence,
  by: readonly SortBy[],
  first: number,
): Promise<void> {
  if (await engine.work(isInOrder(rows, by, first))) return;
  const columns = by.map(({ column }) => column.name).join(", ");
  throw new RunFailure(
    failure(
      "decode",
      `${rowsName(engine, node.id)}: the API was asked for this order and gave another one, or rows without ${columns} before others.`,
      "leave .limit() out, and all rows are read and sorted here",
    ),
  );
}

/** The failure of `.singleton()`: how many rows there are, as far as they were read (LANG-068). */
function singletonCount({ rows, ending }: Feed): RunFailure {
  const known = ending.kind === "ended" ? `${rows.length}` : `at least ${rows.length}`;
  const correction =
    rows.length === 0
      ? "check the condition, or use .limit(1), which takes what there is"
      : "add a condition, give the key, or take the first with .limit(1)";
  return new RunFailure(
    failure("singleton_count", `Exactly one row is needed, ${known} came.`, correction),
  );
}

/**
 * The only row of its source, of which it reads two (LANG-068). Where a budget cut the source after
 * one, that row is marked: reading on may find another.
 */
function singletonNode(step: WholeStep): RowReader {
  const { feed, source } = step;
  return wholeReader({
    ...step,
    sources: [source],
    async make() {
      const cut = await source.needInHand({ rows: 2 });
      const { rows } = source;
      if (rows.length === 0 && cut !== null) throw new SourceEnded(source);
      if (rows.length !== 1) throw singletonCount(source);
      if (cut !== null) feed.mark(cut);
      return rows.slice(0, 1);
    },
  });
}

type Path = readonly string[];

/** All columns that rows have: those of their node, and where its rows are open, those in hand. */
function allColumns(engine: RunEngine, node: ComputeNode, rows: RowSequence): readonly Path[] {
  const known = ownPaths(schemaOf(engine, rows).cgs, node);
  if (known.length > 0) return known;
  const names = new Set<string>();
  for (const { cells } of rows) for (const name of cells?.keys() ?? []) names.add(name);
  return [...names].map((name) => [name]);
}

/**
 * The first row of each combination of columns, all of them where none is named (LANG-061). No column
 * is hydrated that is not named: rows that are alike in what their list gives are one.
 */
function distinctNode(step: WholeStep, of: readonly PlanColumn[], keep = 1): RowReader {
  const { engine, feed, node, source } = step;
  let known = isKnownOp(node.op) ? node : null;
  return wholeReader({
    ...step,
    known: () => known,
    sources: [source],
    async make() {
      const filled = await Promise.all(of.map((each) => filledColumn(step, each)));
      known = { ...node, op: { ...node.op, distinct: filled } };
      const { rows, column, leftOut } = await wholeSource(engine, feed, source, columnPaths(of));
      const by = filled.length > 0 ? filled : allColumns(engine, node, rows);
      const columns = by.map(column);
      const name = () => rowsName(engine, node.id);
      const keys = await engine.work(keysMemory(rows, columns));
      return engine.rows.during(name, keys, () =>
        engine.work(distinctInSteps(rows, columns, leftOut, keep)),
      );
    },
  });
}

/** The first row of each combination of the columns, or the first `keep`, order kept (LANG-061, LANG-065). */
export function* distinctInSteps(
  rows: RowSequence,
  columns: readonly RowColumn[],
  unfit: NoteUnfit,
  keep = 1,
): Pausable<readonly Row[]> {
  const combination = combinationsOf(columns, unfit);
  const seen = new Map<CombinationKey, number>();
  const kept: Row[] = [];
  const each = WORK.key + keysWork(columns);
  let textWork = 0;
  const look = (row: Row, index: number): void => {
    const key = combination(row, index);
    textWork = cellWork(key);
    const before = seen.get(key) ?? 0;
    if (before >= keep) return;
    const name = combinationName(key);
    kept.push({ ...row, name: before === 0 ? name : `${name}#${before}` });
    seen.set(key, before + 1);
  };
  yield* visitEach(rows, look, () => each + textWork + computedWork(columns));
  return kept;
}
