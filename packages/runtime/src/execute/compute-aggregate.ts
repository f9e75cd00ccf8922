import { aggregateRows, groupRows, type RowAggregate } from "../rows/aggregate-rows.ts";
import type { Row } from "../rows/row.ts";
import type { ComputeNode } from "./node-types.ts";
import type { Engine } from "./engine.ts";
import type { Feed, RowReader } from "./feed.ts";
import { type WholeSource, wholeSource } from "./whole-source.ts";

type Path = readonly string[];
type Op = ComputeNode["op"];
type Agg = Extract<Op, { aggregate: unknown }>["aggregate"][number];
type GroupBy = Extract<Op, { group_by: unknown }>["group_by"];

const aggPaths = (aggs: readonly Agg[]): readonly Path[] =>
  aggs.flatMap(({ path }) => (path === null ? [] : [path]));

const boundAggs = (aggs: readonly Agg[], { column }: WholeSource): readonly RowAggregate[] =>
  aggs.map(({ as, fn, path }) => ({ as, fn, column: path === null ? null : column(path) }));

interface Making {
  readonly engine: Engine;
  readonly feed: Feed;
  readonly node: ComputeNode;
  readonly source: Feed;
  readonly paths: readonly Path[];
  readonly make: (whole: WholeSource) => readonly Row[];
}

/** Rows made of all rows of a source, at once. */
function madeOfAll({ engine, feed, node, source, paths, make }: Making): RowReader {
  return {
    sources: [source],
    whole: true,
    async read() {
      const all = await wholeSource(engine, feed, source, paths);
      await engine.nextTurn();
      return { rows: make(all), ended: true };
    },
    save: () => ({ node, state: {}, used: 0 }),
  };
}

/** One row of aggregates of all rows in hand (LANG-066). */
export function aggregateNode(
  engine: Engine,
  feed: Feed,
  node: ComputeNode,
  aggs: readonly Agg[],
  source: Feed,
): RowReader {
  const make = (whole: WholeSource): readonly Row[] => [
    aggregateRows(whole.rows, boundAggs(aggs, whole), whole.unfit),
  ];
  return madeOfAll({ engine, feed, node, source, paths: aggPaths(aggs), make });
}

/** One row per combination of the keys, in order of first appearance (LANG-061, LANG-065). */
export function groupByNode(
  engine: Engine,
  feed: Feed,
  node: ComputeNode,
  { keys, aggs }: GroupBy,
  source: Feed,
): RowReader {
  const make = (whole: WholeSource): readonly Row[] =>
    groupRows(whole.rows, keys.map(whole.column), boundAggs(aggs, whole), whole.unfit);
  return madeOfAll({ engine, feed, node, source, paths: [...keys, ...aggPaths(aggs)], make });
}
