import { projectedSize, projectRow } from "../rows/project-row.ts";
import { CELL_MEMORY } from "../limits/row-budget.ts";
import type { ComputeNode } from "./node-types.ts";
import type { Engine } from "./engine.ts";
import type { Feed, RowReader } from "./feed.ts";
import { hydrate } from "./hydrate.ts";
import { schemaOf } from "./row-catalog.ts";
import { rowsName } from "./rows-name.ts";
import { neededNames, wholeBases } from "./row-filter.ts";
import { takeRows } from "./take-rows.ts";

/** Exactly these columns, in this order; what the list did not load is hydrated (LANG-061, LANG-064). */
export function projectNode(
  engine: Engine,
  feed: Feed,
  node: ComputeNode,
  paths: readonly (readonly string[])[],
  source: Feed,
): RowReader {
  let used = 0;
  return {
    sources: [source],
    async read(have, demand) {
      const { rows: taken, last } = await takeRows(source, used, have, demand);
      const names = neededNames(paths, taken);
      const stopped = await hydrate(engine, feed, wholeBases(taken), names, names);
      if (stopped !== null) feed.mark(stopped.reason);
      used += taken.length;
      const { cgs } = schemaOf(engine, taken);
      const name = () => rowsName(engine, node.id);
      const size = projectedSize(cgs, taken, paths);
      await engine.rows.compute(name, size);
      const held = size.cells * CELL_MEMORY + size.bytes;
      return { rows: taken.map((row) => projectRow(cgs, row, paths)), held, ended: last };
    },
    save: () => ({ node, state: {}, used }),
    anew: (from) => ({ node, state: {}, from }),
  };
}
