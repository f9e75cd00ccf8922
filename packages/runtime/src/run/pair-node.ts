import { columnPaths, type PairNode } from "@plasm/core/internal";
import { CELL_MEMORY } from "../limits/row-budget.ts";
import {
  KEPT_MEMORY,
  meetingsInSteps,
  type PairKey,
  type PairSide,
  pairsInSteps,
} from "../rows/pair-rows.ts";
import type { ColumnTypes, Row, RowColumn } from "../rows/row.ts";
import { rowsName } from "./engine.ts";
import type { Feed, RowReader } from "./feed.ts";
import { filledColumn, isKnownOp } from "./filled-columns.ts";
import {
  keysMemory,
  wholeReader,
  type WholeSource,
  wholeSource,
  type WholeStep,
} from "./whole-source.ts";

/**
 * The rows of two sides whose keys are equal, side by side: all of both are read, those of the right are kept by
 * their keys (LANG-090, LANG-091). Of a side that a budget cut there may be more pairs (LANG-067).
 */
export function pairNode(step: WholeStep, node: PairNode): RowReader {
  const { engine, source } = step;
  const other = engine.feedOf(node.op.pair.with);
  let known = isKnownOp(node.op) ? node : null;
  return wholeReader({
    ...step,
    known: () => known,
    sources: [source, other],
    async make() {
      const keys = await Promise.all(
        node.op.pair.keys.map(async (key) => ({
          ...key,
          left: await filledColumn(step, key.left),
          right: await filledColumn(step, key.right),
        })),
      );
      known = { ...node, op: { pair: { ...node.op.pair, keys } } };
      const made = sideReader(step, known);
      const [left, right] = await Promise.all([made(source, "left"), made(other, "right")]);
      return pairsOf(step, known, left, right);
    },
  });
}

/** What a row of two sides takes in memory besides its cells, in computed cells: few columns may be wanted of many rows. */
const PAIR_CELLS = 4;

/** A side with the columns that are kept of it: those that are named further on, or all where rows are shown. */
function sideReader({ engine, feed }: WholeStep, node: PairNode) {
  const { pair } = node.op;
  const all = (node.result.columns ?? []).map(([name]) => name);
  const names = engine.whole.has(node.id) ? [...new Set([...all, ...pair.wanted])] : pair.wanted;
  const isRight = (name: string): boolean => name === pair.as || name.startsWith(`${pair.as}.`);
  return async (of: Feed, side: "left" | "right"): Promise<PairSide> => {
    const own = names.filter((name) => isRight(name) === (side === "right"));
    const paths = own.map((name) => pathOf(name, side === "right" ? pair.as : null));
    const needed = pair.wanted.filter((name) => isRight(name) === (side === "right"));
    const keys = pair.keys.map((key) => key[side]);
    const whole = await wholeSource(engine, feed, of, [
      ...columnPaths(keys),
      ...needed.map((name) => pathOf(name, side === "right" ? pair.as : null)),
    ]);
    return {
      rows: whole.rows,
      keys: pair.keys.map((key): PairKey => ({ column: whole.column(key[side]), on: key.on })),
      columns: own.map((name, at): RowColumn => columnOf(whole, name, paths[at] ?? [])),
      unfit: whole.leftOut,
    };
  };
}

/** The path of a column on the rows of its own side; none is the row as a whole. */
function pathOf(name: string, as: string | null): readonly string[] {
  if (as === null) return name.split(".");
  return name === as ? [] : name.slice(as.length + 1).split(".");
}

function columnOf(whole: WholeSource, name: string, path: readonly string[]): RowColumn {
  if (path.length > 0) return { ...whole.column(path), name };
  const type = { kind: "json" } as const;
  return { name, type, read: ({ cells }) => Object.fromEntries(cells ?? []) };
}

async function pairsOf(
  { engine }: WholeStep,
  node: PairNode,
  left: PairSide,
  right: PairSide,
): Promise<readonly Row[]> {
  const { left: keepsLeft } = node.op.pair;
  const name = () => rowsName(engine, node.id);
  const rightKeys = right.keys.map(({ column }) => column);
  const memory =
    (await engine.work(keysMemory(right.rows, rightKeys))) +
    right.rows.length * (KEPT_MEMORY + right.columns.length * CELL_MEMORY) +
    left.rows.length * 4;
  return engine.rows.during(name, memory, async () => {
    const meetings = await engine.work(meetingsInSteps(left, right, keepsLeft));
    const { pairs, size } = meetings;
    await engine.rows.compute(name, { cells: size.cells + pairs * PAIR_CELLS, bytes: size.bytes });
    const types: ColumnTypes = new Map(
      [...left.columns, ...right.columns].map((column) => [column.name, column.type]),
    );
    return engine.work(pairsInSteps(left, right, keepsLeft, meetings, types));
  });
}
