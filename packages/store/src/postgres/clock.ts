/** The clock of a database, in whole ms since the epoch, as near as a round trip tells. */
export interface DatabaseClock {
  now(): number;
  stop(): void;
}

const REFRESH_MS = 30_000;

/**
 * Follows the clock that all replicas share (SESS-11): this host's own, corrected by what the database
 * says now and every 30 s. A database that does not answer leaves the correction as it was.
 */
export async function followClock(
  read: () => Promise<number>,
  local: () => number = Date.now,
  refreshMs: number = REFRESH_MS,
): Promise<DatabaseClock> {
  let ahead = 0;
  const look = async (): Promise<void> => {
    const before = local();
    const theirs = await read();
    ahead = theirs - (before + local()) / 2;
  };
  await look();
  const timer = setInterval(() => void look().catch(() => undefined), refreshMs);
  timer.unref();
  return {
    now: () => Math.round(local() + ahead),
    stop: () => clearInterval(timer),
  };
}
