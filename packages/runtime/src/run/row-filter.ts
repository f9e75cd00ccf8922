import type { Cgs } from "@plasm/core";
import { type PlanPred, predWork } from "@plasm/core/internal";
import { isBeyondLimits, unfitDetail } from "../rows/cell-key.ts";
import { cellsWork, numbersAsText, predPaths, tester, unfitCells } from "../rows/matches.ts";
import { numbersDetail } from "../rows/number-texts.ts";
import { RowWork } from "../rows/row-work.ts";
import { inSlices, type Pausable, PIECES, visitEach } from "../base/turns.ts";
import { RunStop } from "../limits/limits.ts";
import { type ColumnTypes, joinedLength, type Row } from "../rows/row.ts";
import type { RowSequence } from "../rows/row-list.ts";
import { type EntityRow, isKnown } from "../decode/entity-row.ts";
import { hydrate } from "./hydrate.ts";
import type { RunEngine } from "./engine.ts";
import type { Feed } from "./feed.ts";

/** Who asks for a condition, and the entity whose columns it reads. */
export interface PredUse {
  readonly engine: RunEngine;
  readonly feed: Feed;
  readonly cgs: Cgs | null;
  readonly entity: string | null;
  /** types of the columns of rows of no entity */
  readonly types?: ColumnTypes;
}

/** How many rows are completed at once when a test needs it and not all rows are wanted. */
export const BATCH = 8;

/**
 * The names that must be known on whole rows before these paths can be read: their first ones, but
 * for paths that a join leads on from the rows.
 */
export function neededNames(
  paths: readonly (readonly string[])[],
  rows: RowSequence = [],
): readonly string[] {
  const first = rows.at(0);
  const own = paths.filter((path) => first === undefined || joinedLength(first, path) === 0);
  return [...new Set(own.flatMap(([name]) => name?.split(".")[0] ?? []))];
}

/** The rows behind whole rows, which hydration can fill; projected rows have what they have. */
export function wholeBases(rows: readonly Row[]): readonly EntityRow[] {
  return rows.flatMap((row) => (row.cells === null && row.base !== null ? [row.base] : []));
}

/** How many of the rows to test next: all, unless that would hydrate more than `most` at once. */
export function batchSize(rows: readonly Row[], pred: PlanPred | null, most: number): number {
  if (pred === null || most >= rows.length) return rows.length;
  const names = neededNames(predPaths(pred), rows);
  const whole = wholeBases(rows).every((row) => names.every((name) => isKnown(row, name)));
  return whole ? rows.length : most;
}

/**
 * Says which cells cannot be compared. Of a number that is not kept nobody knows what it is: what the conditions
 * leave is then not whole (RUN-003).
 */
function noteUnfit(pred: PlanPred, { feed, ...scope }: PredUse): (row: Row) => void {
  const numbers = numbersAsText(pred, scope, (column) => {
    feed.log.add("text_order", numbersDetail(column));
  });
  const unfit = unfitCells(pred, scope, ({ column, expected, cell }) => {
    const detail = unfitDetail(column, expected, cell, "so it equals nothing and is in no order");
    feed.log.add("cell_unfit", detail);
    if (isBeyondLimits(cell)) feed.mark("cell_unfit");
  });
  return (row) => {
    unfit(row);
    numbers(row);
  };
}

/** Rows that were tested. */
interface Filtered {
  readonly passing: readonly Row[];
  /** how many were, from the first on */
  readonly tested: number;
  /** why the others were not; null where all were */
  readonly stop: RunStop | null;
}

/**
 * Tests rows after hydrating what the test reads (RUN-112), as many of them as the run's time and work allow
 * (PLAN-053). Throws RunStop, with no row tested, when a budget stops the hydration.
 */
export async function keepMatchingRows(
  pred: PlanPred,
  rows: readonly Row[],
  use: PredUse,
  wanted: readonly string[],
): Promise<Filtered> {
  const names = neededNames(predPaths(pred), rows);
  const stopped = await hydrate(use.engine, use.feed, wholeBases(rows), names, wanted);
  if (stopped !== null) throw stopped;
  const fault = (detail: string): void => {
    use.feed.log.add("cell_unfit", detail);
    use.feed.mark("cell_unfit");
  };
  const computing = new RowWork();
  const passes = tester(pred, { cgs: use.cgs, entity: use.entity, fault, work: computing });
  const note = noteUnfit(pred, use);
  const cells = cellsWork(pred, use);
  const { once, each } = predWork(pred);
  const passing: Row[] = [];
  let tested = 0;
  const look = (row: Row): void => {
    note(row);
    computing.begin();
    if (passes(row)) passing.push(row);
    tested += 1;
  };
  const work = (function* (): Pausable<void> {
    yield once;
    yield* visitEach(rows, look, (row) => each + cells(row) + computing.pieces());
  })();
  const { engine } = use;
  const isSmall = once + rows.length * each < PIECES;
  try {
    await (isSmall ? inSlices(work, engine.pause, engine.charge) : engine.work(work));
    return { passing, tested, stop: null };
  } catch (thrown) {
    if (!(thrown instanceof RunStop)) throw thrown;
    return { passing, tested, stop: tested < rows.length ? thrown : null };
  }
}
