import type { Cgs, Json } from "@plasm/core";
import { type ComputeNode, WORK } from "@plasm/core/internal";
import { RunStop } from "../limits/limits.ts";
import { CELL_MEMORY } from "../limits/row-budget.ts";
import { readCell, type Row } from "../rows/row.ts";
import { type RunEngine, rowsName, schemaOf } from "./engine.ts";
import type { Feed, RowReader } from "./feed.ts";
import { hydrate } from "./hydrate.ts";
import { neededNames, wholeBases } from "./row-filter.ts";
import { takeRows } from "./whole-source.ts";
import { type Size, sizeOf } from "../base/json-kinds.ts";

/** Cells that are made before others have a turn: some milliseconds of work. */
const PORTION_CELLS = 16_384;

/** Exactly these columns, in this order; what the list did not load is hydrated (LANG-061, LANG-064). */
export function projectNode(
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
