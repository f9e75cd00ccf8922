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

  const admit = (): void => {
    for (let i = 0; i < queue.length && total < perRun;) {
      const next = queue[i];
      if (next === undefined) return;
      const busy = active.get(next.host) ?? 0;
      if (busy >= perHost) {
        i++;
        continue;
      }
      queue.splice(i, 1);
      active.set(next.host, busy + 1);
      total++;
      next.start();
    }
  };

  const leave = (host: string): void => {
    active.set(host, (active.get(host) ?? 1) - 1);
    total--;
    admit();
  };

  return {
    async run(host, task) {
      await new Promise<void>((start) => {
        queue.push({ host, start });
        admit();
      });
      try {
        return await task();
      } finally {
        leave(host);
      }
    },
  };
}
