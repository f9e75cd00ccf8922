import type { ComputeNode } from "@plasm/core/internal";
import {
  aggregateInSteps,
  groupInSteps,
  groupsInSteps,
  type RowAggregate,
} from "../rows/aggregate-rows.ts";
import type { Row } from "../rows/row.ts";
import type { Size } from "../base/json-kinds.ts";
import type { Pausable } from "../base/turns.ts";
import type { RowReader } from "./feed.ts";
import { rowsName } from "./engine.ts";
import {
  keysMemory,
  wholeReader,
  type WholeSource,
  wholeSource,
  type WholeStep,
} from "./whole-source.ts";

type Path = readonly string[];
type Op = ComputeNode["op"];
type Agg = Extract<Op, { aggregate: unknown }>["aggregate"][number];
type GroupBy = Extract<Op, { group_by: unknown }>["group_by"];

const aggPaths = (aggs: readonly Agg[]): readonly Path[] =>
  aggs.flatMap(({ path }) => (path === null ? [] : [path]));

const boundAggs = (aggs: readonly Agg[], { column }: WholeSource): readonly RowAggregate[] =>
  aggs.map(({ as, fn, path }) => ({ as, fn, column: path === null ? null : column(path) }));

/** Rows made of all rows of a source, at once. */
function madeOfAll(
  step: WholeStep,
  paths: readonly Path[],
  rowsOf: (whole: WholeSource) => Promise<readonly Row[]>,
): RowReader {
  const { engine, feed, source } = step;
  return wholeReader({
    ...step,
    sources: [source],
    async make() {
      const all = await wholeSource(engine, feed, source, paths);
      return rowsOf(all);
    },
  });
}

/** What an aggregate takes in memory while rows are read, in bytes. */
const TOTAL_MEMORY = 256;

/**
 * Counts rows of keys and aggregates before they are made: the cells of their keys as they stand, and a cell for
 * each aggregate.
 */
async function counted(
  { engine, node }: WholeStep,
  groups: number,
  keys: Size,
  aggs: readonly RowAggregate[],
  make: () => Pausable<readonly Row[]>,
): Promise<readonly Row[]> {
  const name = () => rowsName(engine, node.id);
  const cells = groups * aggs.length;
  await engine.rows.compute(name, { cells: keys.cells + cells, bytes: keys.bytes + cells });
  return engine.rows.during(name, cells * TOTAL_MEMORY, () => engine.work(make()));
}

const NO_KEYS: Size = Object.freeze({ cells: 0, bytes: 0 });

/** One row of aggregates of all rows in hand (LANG-066). */
export function aggregateNode(step: WholeStep, aggs: readonly Agg[]): RowReader {
  return madeOfAll(step, aggPaths(aggs), (whole) => {
    const bound = boundAggs(aggs, whole);
    return counted(step, 1, NO_KEYS, bound, function* () {
      return [yield* aggregateInSteps(whole.rows, bound, whole.leftOut)];
    });
  });
}

/** One row per combination of the keys, in order of first appearance (LANG-061, LANG-065). */
export function groupByNode(step: WholeStep, { keys, aggs }: GroupBy): RowReader {
  const { engine, node } = step;
  return madeOfAll(step, [...keys, ...aggPaths(aggs)], async (whole) => {
    const [columns, bound] = [keys.map(whole.column), boundAggs(aggs, whole)];
    const name = () => rowsName(engine, node.id);
    const memory = keysMemory(whole.rows, columns);
    const groups = await engine.rows.during(name, memory, () =>
      engine.work(groupsInSteps(whole.rows, columns, whole.leftOut)),
    );
    return counted(step, groups.keys.length, groups.size, bound, () =>
      groupInSteps(whole.rows, columns, bound, whole.leftOut, groups),
    );
  });
}
