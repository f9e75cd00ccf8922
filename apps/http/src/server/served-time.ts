import type { Server } from "node:http";

interface Limits {
  readonly headersMs: number;
  readonly requestMs: number;
}

interface Hold {
  readonly endedAt: number;
  readonly ms: number;
}

/** Into how many beats the least limit is divided: holds that are shorter than one are not noticed. */
const BEATS = 20;

/**
 * Lets a server count against its requests only time in which it could read them. Node counts from the moment a connection was
 * accepted, and looks at its limits before it reads what has arrived: a request that lay in the socket while the loop was held for
 * longer than the limit, by work or because the process stood still, would be reset. Node asks for both limits whenever it looks.
 */
export function countServedTime(server: Server, { headersMs, requestMs }: Limits): void {
  const beatMs = Math.min(headersMs, requestMs) / BEATS;
  const keptMs = Math.max(headersMs, requestMs);
  let holds: readonly Hold[] = [];
  let last = performance.now();
  const beat = (): number => {
    const now = performance.now();
    const ms = now - last - beatMs;
    last = now;
    if (ms > beatMs) {
      const kept = holds.filter(({ endedAt }) => endedAt > now - keptMs);
      holds = [...kept, { endedAt: now, ms }];
    }
    return now;
  };
  const timer = setInterval(beat, beatMs).unref();
  server.once("close", () => clearInterval(timer));
  /** A hold counts whole until whoever it held up has had the limit's time since. */
  const lengthened = (limitMs: number): number => {
    const since = beat() - limitMs;
    return holds.reduce((sum, { endedAt, ms }) => (endedAt > since ? sum + ms : sum), limitMs);
  };
  Object.defineProperties(server, {
    headersTimeout: { get: () => lengthened(headersMs) },
    requestTimeout: { get: () => lengthened(requestMs) },
  });
}
