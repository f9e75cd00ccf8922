import { type SortBy, sortRows } from "../rows/sort-rows.ts";
import type { ComputeNode } from "./node-types.ts";
import type { Engine } from "./engine.ts";
import type { Feed, RowReader } from "./feed.ts";
import { hydrate } from "./hydrate.ts";
import { schemaOf } from "./row-catalog.ts";
import { neededNames, wholeBases } from "./row-filter.ts";

/** All rows of its source in order of the keys (LANG-065); what is cut is sorted as far as it came. */
export function sortNode(
  engine: Engine,
  feed: Feed,
  node: ComputeNode,
  by: readonly SortBy[],
  source: Feed,
): RowReader {
  const names = neededNames(by.map(({ path }) => path));
  return {
    sources: [source],
    whole: true,
    async read() {
      const cut = await source.needInHand("all");
      const { rows } = source;
      const stopped = await hydrate(engine, feed, wholeBases(rows), names, names);
      const reason = cut ?? stopped;
      if (reason !== null) feed.mark(reason);
      const { cgs, entity } = schemaOf(engine, rows);
      return { rows: sortRows(cgs, entity, rows, by), ended: true };
    },
    save: () => ({ node, state: {}, used: 0 }),
  };
}
