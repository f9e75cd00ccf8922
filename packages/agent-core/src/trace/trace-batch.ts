import type { TimedFact, TraceTotals } from "../records/trace-record.ts";
import { addTotals, NOTHING } from "./totals.ts";

/** Events of a trace that are kept, the newest; of older ones the totals stay (SURF-29). */
export const KEPT_EVENTS = 1_000;

/** Facts that are not written yet; of more than are kept the oldest are numbered and counted alone. */
export interface TraceBatch {
  readonly facts: readonly TimedFact[];
  /** facts before these that only have a number */
  readonly skipped: number;
  readonly totals: TraceTotals;
}

export const EMPTY_BATCH: TraceBatch = Object.freeze({ facts: [], skipped: 0, totals: NOTHING });

function within(batch: TraceBatch): TraceBatch {
  const over = batch.facts.length - KEPT_EVENTS;
  if (over <= 0) return batch;
  return { ...batch, facts: batch.facts.slice(over), skipped: batch.skipped + over };
}

/** Two batches of one trace, the earlier one first. */
export const joined = (a: TraceBatch, b: TraceBatch): TraceBatch => {
  const skips = b.skipped > 0;
  return within({
    // What b lost came after all of a.
    facts: skips ? b.facts : [...a.facts, ...b.facts],
    skipped: skips ? a.skipped + a.facts.length + b.skipped : a.skipped,
    totals: addTotals(a.totals, b.totals),
  });
};
