/** Parts of a limit: a process that slept, or whose loop was held, has spent one of them at most each time. */
const PARTS = 20;

/**
 * Counts time in which this process ran. A timer of Node also counts time in which its loop was held: what arrived
 * meanwhile is read only after the timer struck, so that a held loop looks like a server that does not answer.
 */
export class ServedTimer {
  /** resolves when the time is over; never once it was stopped */
  readonly over: Promise<void>;
  readonly #timer: NodeJS.Timeout | null = null;
  #left = PARTS;

  constructor(ms: number) {
    let end = (): void => undefined;
    this.over = new Promise((resolve) => (end = resolve));
    if (ms <= 0) {
      this.#left = 0;
      end();
      return;
    }
    this.#timer = setInterval(() => {
      this.#left = Math.max(0, this.#left - 1);
      if (this.#left > 0) return;
      this.stop();
      end();
    }, ms / PARTS);
    this.#timer.unref();
  }

  get isOver(): boolean {
    return this.#left === 0;
  }

  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
  }
}

/** Settles as an answer does; rejects with what `late` gives when it took more ms than so many in which this process ran. */
export async function withinServedTime<T>(
  answer: Promise<T>,
  limitMs: number,
  late: () => Error,
): Promise<T> {
  const timer = new ServedTimer(limitMs);
  const isLate = timer.over.then(() => Promise.reject(late()));
  try {
    return await Promise.race([answer, isLate]);
  } finally {
    timer.stop();
  }
}
