/** The clock of a database, in whole ms since the epoch, as near as a round trip tells. */
export interface DatabaseClock {
  now(): number;
  stop(): void;
}

const REFRESH_MS = 30_000;

/**
 * Follows the clock that all replicas share (SESS-11): this host's own, corrected by what the database
 * says now and every 30 s. A database that does not answer leaves the correction as it was, and so does an
 * answer that agrees with it: in a look during which the process slept, when the answer was made is not known.
 */
export async function followClock(
  read: () => Promise<number>,
  local: () => number = Date.now,
  refreshMs: number = REFRESH_MS,
): Promise<DatabaseClock> {
  /** the correction lies between these: the answer was made after it was asked for, and before it came */
  const look = async (): Promise<readonly [least: number, most: number]> => {
    const before = local();
    const theirs = await read();
    return [theirs - local(), theirs - before];
  };
  const [least, most] = await look();
  let ahead = (least + most) / 2;
  const follow = async (): Promise<void> => {
    const [low, high] = await look();
    ahead = Math.min(Math.max(ahead, low), high);
  };
  const timer = setInterval(() => void follow().catch(() => undefined), refreshMs);
  timer.unref();
  return {
    now: () => Math.round(local() + ahead),
    stop: () => clearInterval(timer),
  };
}
