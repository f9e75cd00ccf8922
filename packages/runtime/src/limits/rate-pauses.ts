/** Until when requests with a host and credential must wait, in clock milliseconds (RUN-025). */
export interface RatePauses {
  set(key: string, until: number): void;
  until(key: string): number;
}

/** No pauses yet. */
export function createRatePauses(): RatePauses {
  const pauses = new Map<string, number>();
  return Object.freeze({
    set(key: string, until: number) {
      pauses.set(key, Math.max(until, pauses.get(key) ?? 0));
    },
    until: (key: string) => pauses.get(key) ?? 0,
  });
}
