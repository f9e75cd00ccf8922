/** Writes that wait for the disk together, without holding up anything else. */
export interface SharedSync {
  /** So many pieces of work were written, which the disk may not have yet. */
  wrote(pieces: number): void;
  /** how many of them the disk may not have yet */
  readonly behind: number;
  /** Resolves when the disk has everything that was written before; rejects if it could not take it. */
  reached(): Promise<void>;
}

/** A sync under way: it covers so many writes. */
interface Running {
  readonly until: number;
  readonly done: Promise<void>;
}

/**
 * Shares `sync`, which has the disk take all that was written before it: one is under way at a time, and all
 * who have written since it began wait for the next. One that fails fails all whom it covers: a disk that
 * could not write may say of the same data later that it has.
 */
export function shareSync(sync: () => Promise<void>): SharedSync {
  let written = 0;
  let reached = 0;
  let running: Running | null = null;
  const begin = (): Running => {
    const until = written;
    const done = sync().then(
      () => {
        reached = until;
        running = null;
      },
      (cause: unknown) => {
        running = null;
        throw cause;
      },
    );
    return { until, done };
  };
  return {
    wrote: (pieces) => void (written += pieces),
    get behind() {
      return written - reached;
    },
    reached: async () => {
      const until = written;
      if (running !== null && running.until < until) await running.done.catch(() => undefined);
      if (reached >= until) return;
      running ??= begin();
      await running.done;
    },
  };
}
