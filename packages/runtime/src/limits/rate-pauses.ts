import { FIXED } from "./limits.ts";

/** Until when requests with a host and credential must wait, in clock milliseconds (RUN-025). */
export interface RatePauses {
  set(key: string, until: number): void;
  until(key: string): number;
}

/** From so many on, pauses that are over are forgotten. */
const MOST = 1_000;
const LONG_MS = 600_000;

/**
 * The pauses of one run. Those that a run would wait out hold for all runs that share a host; a longer one ends this
 * run's requests alone (RUN-025): another run asks again, so that what an API once said of hours, or said wrongly,
 * does not bar it for as long as the process lives.
 */
export function pausesOfRun(shared: RatePauses, now: () => number): RatePauses {
  const own = createRatePauses();
  return Object.freeze({
    set(key: string, until: number) {
      own.set(key, until);
      if (until - now() <= FIXED.retryAfterCapMs) shared.set(key, until);
    },
    until: (key: string) => Math.max(own.until(key), shared.until(key)),
  });
}

/** No pauses yet. */
export function createRatePauses(): RatePauses {
  const pauses = new Map<string, number>();
  return Object.freeze({
    set(key: string, until: number) {
      // Those that are long over are forgotten: hosts come and go as long as the process lives.
      if (pauses.size >= MOST)
        for (const [one, end] of pauses) if (end < until - LONG_MS) pauses.delete(one);
      pauses.set(key, Math.max(until, pauses.get(key) ?? 0));
    },
    until: (key: string) => pauses.get(key) ?? 0,
  });
}
