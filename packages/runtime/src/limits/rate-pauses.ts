/** Until when requests with a host and credential must wait, in clock milliseconds (RUN-025). */
export interface RatePauses {
  set(key: string, until: number): void;
  until(key: string): number;
}

/** From so many on, pauses that are over are forgotten. */
const MOST = 1_000;
const LONG_MS = 600_000;

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
