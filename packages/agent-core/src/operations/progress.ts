import type { Step } from "../records/operation-record.ts";

/** OPS-20: rows alone are an event only if the last one is this long ago, in ms. */
export const ROWS_EVERY_MS = 2_000;

/** What was told of a running operation, and what is true of it now. */
export interface Progress {
  /** number of the last event, from 1 */
  readonly event: number;
  readonly told: Step;
  /** when that event was, in ms */
  readonly toldAt: number;
  readonly now: Step;
}

/** An operation of which the event `event` has been told, with a step that does not go back (OPS-32). */
export const progressFrom = (event: number, step: Step, at: number): Progress => ({
  event,
  told: step,
  toldAt: at,
  now: step,
});

const moved = (from: Step, to: Step): boolean => to.rows !== from.rows || to.label !== from.label;

/**
 * Takes in what is seen of a run. A new step is an event at once, rows only if 2 s have passed since
 * the last one, so that there are at most 2 + steps + Σ(step seconds / 2) of them (OPS-20). Pure.
 */
export function observe(
  progress: Progress,
  seen: Step,
  at: number,
): { readonly progress: Progress; readonly emitted: boolean } {
  const k = Math.max(progress.now.k, seen.k);
  const now = { ...seen, k };
  const late = at - progress.toldAt >= ROWS_EVERY_MS;
  const emitted = k > progress.told.k || (late && moved(progress.told, now));
  if (!emitted) return { progress: { ...progress, now }, emitted };
  return { progress: { event: progress.event + 1, told: now, toldAt: at, now }, emitted };
}
