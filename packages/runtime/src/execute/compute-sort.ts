import { sortRows } from "../rows/sort-rows.ts";
import type { ComputeNode } from "./node-types.ts";
import type { Engine } from "./engine.ts";
import type { Feed, RowReader } from "./feed.ts";
import { wholeSource } from "./whole-source.ts";

/** One key of a sort as plans have it. */
interface SortKeyPath {
  readonly path: readonly string[];
  readonly desc: boolean;
}

/** All rows of its source in order of the keys (LANG-065); what is cut is sorted as far as it came. */
export function sortNode(
  engine: Engine,
  feed: Feed,
  node: ComputeNode,
  by: readonly SortKeyPath[],
  source: Feed,
): RowReader {
  const paths = by.map(({ path }) => path);
  return {
    sources: [source],
    whole: true,
    async read() {
      const { rows, column, unfit } = await wholeSource(engine, feed, source, paths);
      await engine.nextTurn();
      const columns = by.map(({ path, desc }) => ({ column: column(path), desc }));
      return { rows: sortRows(rows, columns, unfit), ended: true };
    },
    save: () => ({ node, state: {}, used: 0 }),
  };
}
