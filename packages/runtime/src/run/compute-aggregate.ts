import { filledColumn, isKnownOp } from "./filled-columns.ts";
import { columnPaths, type ComputeNode, opColumns, type PlanKey } from "@plasm/core/internal";
import {
  aggregateInSteps,
  groupInSteps,
  groupsInSteps,
  type RowAggregate,
} from "../rows/aggregate-rows.ts";
import type { Row, RowColumn } from "../rows/row.ts";
import type { Size } from "../base/json-kinds.ts";
import type { Pausable } from "../base/turns.ts";
import type { RowReader } from "./feed.ts";
import { rowsName } from "./engine.ts";
import { fillShared } from "./resolve-value.ts";
import {
  keysMemory,
  tellNumbers,
  wholeReader,
  type WholeSource,
  wholeSource,
  type WholeStep,
} from "./whole-source.ts";

type Op = ComputeNode["op"];
type Agg = Extract<Op, { aggregate: unknown }>["aggregate"][number];
type GroupBy = Extract<Op, { group_by: unknown }>["group_by"];

const boundAggs = (aggs: readonly Agg[], { column }: WholeSource): readonly RowAggregate[] =>
  aggs.map(({ as, fn, path }) => ({ as, fn, column: path === null ? null : column(path) }));

/** The columns of which a least or greatest cell is taken. */
const ordered = (aggs: readonly RowAggregate[]): readonly RowColumn[] =>
  aggs.flatMap(({ fn, column }) =>
    column !== null && (fn === "min" || fn === "max") ? [column] : [],
  );

/** Aggregates with all that is the same for every row filled in. */
const filledAggs = (step: WholeStep, aggs: readonly Agg[]): Promise<Agg[]> =>
  Promise.all(
    aggs.map(async (agg) =>
      agg.path === null ? agg : { ...agg, path: await filledColumn(step, agg.path) },
    ),
  );

/** Rows made of all rows of a source, at once. */
function madeOfAll<Filled extends Op>(
  step: WholeStep,
  fill: () => Promise<Filled>,
  rowsOf: (whole: WholeSource, op: Filled) => Promise<readonly Row[]>,
): RowReader {
  const { engine, feed, node, source } = step;
  let known = isKnownOp(node.op) ? node : null;
  return wholeReader({
    ...step,
    known: () => known,
    sources: [source],
    async make() {
      const op = await fill();
      known = { ...node, op };
      const paths = columnPaths(opColumns(node.op));
      const all = await wholeSource(engine, feed, source, paths);
      return rowsOf(all, op);
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
  const fill = async () => ({ aggregate: await filledAggs(step, aggs) });
  return madeOfAll(step, fill, async (whole, { aggregate }) => {
    const bound = boundAggs(aggregate, whole);
    await tellNumbers(step, whole.rows, ordered(bound));
    return counted(step, 1, NO_KEYS, bound, function* () {
      return [yield* aggregateInSteps(whole.rows, bound, whole.leftOut)];
    });
  });
}

async function filledGroups(step: WholeStep, { keys, aggs }: GroupBy): Promise<GroupBy> {
  const filled = keys.map(async (key): Promise<PlanKey> => {
    if (!("as" in key)) return key;
    const use = { engine: step.engine, feed: step.feed, slot: null };
    return { as: key.as, value: await fillShared(key.value, use) };
  });
  return { keys: await Promise.all(filled), aggs: await filledAggs(step, aggs) };
}

/** One row per combination of the keys, in order of first appearance (LANG-061, LANG-065). */
export function groupByNode(step: WholeStep, groups: GroupBy): RowReader {
  const { engine, node } = step;
  const fill = async () => ({ group_by: await filledGroups(step, groups) });
  return madeOfAll(step, fill, async (whole, { group_by: { keys, aggs } }) => {
    const [columns, bound] = [keys.map(whole.column), boundAggs(aggs, whole)];
    const name = () => rowsName(engine, node.id);
    const memory = await engine.work(keysMemory(whole.rows, columns));
    await tellNumbers(step, whole.rows, ordered(bound));
    const made = await engine.rows.during(name, memory, () =>
      engine.work(groupsInSteps(whole.rows, columns, whole.leftOut)),
    );
    return counted(step, made.keys.length, made.size, bound, () =>
      groupInSteps(whole.rows, columns, bound, whole.leftOut, made),
    );
  });
}
