/** Lets at most so many tasks run at once, in all and per host, in order of arrival (RUN-022, PLAN-060). */
export interface Gate {
  run<T>(host: string, task: () => Promise<T>): Promise<T>;
}

interface Waiting {
  readonly host: string;
  readonly start: () => void;
}

/** A gate for one run. */
export function createGate(perHost: number, perRun: number): Gate {
  const active = new Map<string, number>();
  const queue: Waiting[] = [];
  let total = 0;

  const isFree = (host: string): boolean => total < perRun && (active.get(host) ?? 0) < perHost;

  const enter = (host: string): void => {
    active.set(host, (active.get(host) ?? 0) + 1);
    total++;
  };

  /** Lets in whoever may; none of those that wait on could be let in. */
  const admit = (): void => {
    for (let i = 0; i < queue.length && total < perRun;) {
      const next = queue[i];
      if (next === undefined) return;
      if (isFree(next.host)) {
        queue.splice(i, 1);
        enter(next.host);
        next.start();
      } else i++;
    }
  };

  const leave = (host: string): void => {
    active.set(host, (active.get(host) ?? 1) - 1);
    total--;
    admit();
  };

  return {
    async run(host, task) {
      // Where there is a place, nobody waits for it.
      if (isFree(host)) enter(host);
      else await new Promise<void>((start) => void queue.push({ host, start }));
      try {
        return await task();
      } finally {
        leave(host);
      }
    },
  };
}
