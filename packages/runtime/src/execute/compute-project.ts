import { WORK } from "@plasm/core";
import { projectedSize, projectRow } from "../rows/project-row.ts";
import { RunStop } from "../limits/budget.ts";
import { CELL_MEMORY } from "../limits/row-budget.ts";
import type { Row } from "../rows/row.ts";
import type { ComputeNode } from "./node-types.ts";
import type { Engine } from "./engine.ts";
import type { Feed, RowReader } from "./feed.ts";
import { hydrate } from "./hydrate.ts";
import { schemaOf } from "./row-catalog.ts";
import { rowsName } from "./rows-name.ts";
import { neededNames, wholeBases } from "./row-filter.ts";
import { takeRows } from "./take-rows.ts";

/** Cells that are made before others have a turn: some milliseconds of work. */
const PORTION_CELLS = 16_384;

/** Exactly these columns, in this order; what the list did not load is hydrated (LANG-061, LANG-064). */
export function projectNode(
  engine: Engine,
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
