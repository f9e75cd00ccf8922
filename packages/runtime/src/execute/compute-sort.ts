import { sortInSteps } from "../rows/sort-rows.ts";
import type { RowReader } from "./feed.ts";
import { wholeReader } from "./whole-reader.ts";
import { rowsName } from "./rows-name.ts";
import { keysMemory, wholeSource, type WholeStep } from "./whole-source.ts";

/** One key of a sort as plans have it. */
interface SortKeyPath {
  readonly path: readonly string[];
  readonly desc: boolean;
}

/** All rows of its source in order of the keys (LANG-065); what is cut is sorted as far as it came. */
export function sortNode(step: WholeStep, by: readonly SortKeyPath[]): RowReader {
  const { engine, feed, source } = step;
  const paths = by.map(({ path }) => path);
  return wholeReader({
    ...step,
    sources: [source],
    async make() {
      const { rows, column, unfit } = await wholeSource(engine, feed, source, paths);
      const columns = by.map(({ path, desc }) => ({ column: column(path), desc }));
      const keys = keysMemory(
        rows,
        columns.map((each) => each.column),
      );
      const name = () => rowsName(engine, step.node.id);
      return engine.rows.during(name, keys, () => engine.work(sortInSteps(rows, columns, unfit)));
    },
  });
}
