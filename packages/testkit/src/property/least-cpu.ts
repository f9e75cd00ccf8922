/** The least that two works took, and what the larger one may take. */
export interface LeastCpu {
  readonly small: number;
  readonly large: number;
  readonly most: number;
}

/** How often each is tried at least, and where the larger one seems to take too much. */
const TRIES = 3;
const MOST_TRIES = 24;

/**
 * What two works take, compared so that it does not matter what else the machine does: that only adds to either, so the
 * least of some tries counts, of both in turn. Where `large` seems to take more than `allowed`, both are tried again and
 * again: what takes too much does so however often it is tried.
 */
export function leastCpu(
  small: () => unknown,
  large: () => unknown,
  allowed: (small: number) => number,
): LeastCpu {
  let least = { small: Number.POSITIVE_INFINITY, large: Number.POSITIVE_INFINITY };
  for (let tries = 1; ; tries++) {
    least = {
      small: Math.min(least.small, cpuOf(small)),
      large: Math.min(least.large, cpuOf(large)),
    };
    const most = allowed(least.small);
    const isEnough = tries >= TRIES && least.large < most;
    if (isEnough || tries === MOST_TRIES) return { ...least, most };
  }
}

/** So many milliseconds the clock of a thread may lag behind: it is told in steps. */
const STEP = 4;

/**
 * Milliseconds of CPU that some work takes: of the process, told in microseconds, or of its thread, where other threads
 * of the process, such as those that collect garbage, took more beside it.
 */
function cpuOf(work: () => unknown): number {
  const before = process.cpuUsage();
  const thread = process.threadCpuUsage();
  work();
  const all = process.cpuUsage(before);
  const own = process.threadCpuUsage(thread);
  return Math.min((all.user + all.system) / 1_000, (own.user + own.system) / 1_000 + STEP);
}
