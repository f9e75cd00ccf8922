import { projectRow } from "../rows/project-row.ts";
import type { ComputeNode } from "./node-types.ts";
import type { Engine } from "./engine.ts";
import { type Feed, type RowReader, SourceEnded } from "./feed.ts";
import { hydrate } from "./hydrate.ts";
import { schemaOf } from "./row-catalog.ts";
import { neededNames, wholeBases } from "./row-filter.ts";

/** Exactly these columns, in this order; what the list did not load is hydrated (LANG-061, LANG-064). */
export function projectNode(
  engine: Engine,
  feed: Feed,
  node: ComputeNode,
  paths: readonly (readonly string[])[],
  source: Feed,
): RowReader {
  const names = neededNames(paths);
  let used = 0;
  return {
    sources: [source],
    async read(have, demand) {
      const count = typeof demand === "object" ? Math.max(1, demand.rows - have) : Infinity;
      const upTo = { rows: used + (demand === "page" ? 1 : count) };
      const cut = await source.needInHand(demand === "all" ? "all" : upTo);
      const rest = source.rows.slice(used, used + count);
      if (rest.length === 0 && cut !== null) throw new SourceEnded(source);
      const stopped = await hydrate(engine, feed, wholeBases(rest), names, names);
      if (stopped !== null) feed.mark(stopped);
      used += rest.length;
      const { cgs } = schemaOf(engine, rest);
      const rows = rest.map((row) => projectRow(cgs, row, paths));
      return { rows, ended: source.isUsedUp(used) };
    },
    save: () => ({ node, state: {}, used }),
  };
}
