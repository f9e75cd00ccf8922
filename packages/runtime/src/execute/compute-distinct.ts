import { distinctInSteps } from "../rows/distinct-rows.ts";
import type { Rows } from "../rows/row-list.ts";
import type { ComputeNode } from "./node-types.ts";
import type { Engine } from "./engine.ts";
import type { RowReader } from "./feed.ts";
import { columnPaths } from "./render-result.ts";
import { schemaOf } from "./row-catalog.ts";
import { wholeReader } from "./whole-reader.ts";
import { rowsName } from "./rows-name.ts";
import { keysMemory, wholeSource, type WholeStep } from "./whole-source.ts";

type Path = readonly string[];

/** All columns that rows have: those of their node, and where its rows are open, those in hand. */
function allColumns(engine: Engine, node: ComputeNode, rows: Rows): readonly Path[] {
  const known = columnPaths(schemaOf(engine, rows).cgs, node);
  if (known.length > 0) return known;
  const names = new Set<string>();
  for (const { cells } of rows) for (const name of cells?.keys() ?? []) names.add(name);
  return [...names].map((name) => [name]);
}

/**
 * The first row of each combination of columns, all of them where none is named (LANG-061). No column
 * is hydrated that is not named: rows that are alike in what their list gives are one.
 */
export function distinctNode(step: WholeStep, paths: readonly Path[]): RowReader {
  const { engine, feed, node, source } = step;
  return wholeReader({
    ...step,
    sources: [source],
    async make() {
      const { rows, column, leftOut } = await wholeSource(engine, feed, source, paths);
      const by = paths.length > 0 ? paths : allColumns(engine, node, rows);
      const columns = by.map(column);
      const name = () => rowsName(engine, node.id);
      const keys = keysMemory(rows, columns);
      return engine.rows.during(name, keys, () =>
        engine.work(distinctInSteps(rows, columns, leftOut)),
      );
    },
  });
}
