import { setImmediate } from "node:timers/promises";

/** Gives the event loop its turn before long local work. */
export type NextTurn = () => Promise<void>;

/**
 * The turns of one run, one a caller: between any two of them the event loop goes round, so that
 * however much local work of a run is due at once, other runs, timers and cancels come in between
 * (PLAN-065).
 */
export function createTurns(): NextTurn {
  let latest: Promise<void> = Promise.resolve();
  return () => {
    // Asked for at once, all turns would fall into one round of the loop.
    latest = latest.then(() => setImmediate());
    return latest;
  };
}
