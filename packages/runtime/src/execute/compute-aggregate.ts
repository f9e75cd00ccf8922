import { aggregateRows, groupRows, type RowAggregate } from "../rows/aggregate-rows.ts";
import type { Row } from "../rows/row.ts";
import type { ComputeNode } from "./node-types.ts";
import type { RowReader } from "./feed.ts";
import { wholeReader } from "./whole-reader.ts";
import { type WholeSource, wholeSource, type WholeStep } from "./whole-source.ts";

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
  rowsOf: (whole: WholeSource) => readonly Row[],
): RowReader {
  const { engine, feed, source } = step;
  return wholeReader({
    ...step,
    sources: [source],
    async make() {
      const all = await wholeSource(engine, feed, source, paths);
      await engine.nextTurn();
      return rowsOf(all);
    },
  });
}

/** One row of aggregates of all rows in hand (LANG-066). */
export function aggregateNode(step: WholeStep, aggs: readonly Agg[]): RowReader {
  const make = (whole: WholeSource): readonly Row[] => [
    aggregateRows(whole.rows, boundAggs(aggs, whole), whole.unfit),
  ];
  return madeOfAll(step, aggPaths(aggs), make);
}

/** One row per combination of the keys, in order of first appearance (LANG-061, LANG-065). */
export function groupByNode(step: WholeStep, { keys, aggs }: GroupBy): RowReader {
  const make = (whole: WholeSource): readonly Row[] =>
    groupRows(whole.rows, keys.map(whole.column), boundAggs(aggs, whole), whole.unfit);
  return madeOfAll(step, [...keys, ...aggPaths(aggs)], make);
}
