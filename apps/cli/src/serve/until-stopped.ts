const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** 128 + SIGINT's number, as a shell tells it. */
const INTERRUPTED = 130;

/**
 * Resolves on the first signal to stop. A second signal ends the process at once, whatever is still
 * being closed.
 */
export const untilStopped = (): Promise<void> =>
  new Promise((resolve) => {
    let stopping = false;
    const stop = (): void => {
      if (stopping) process.exit(INTERRUPTED);
      stopping = true;
      resolve();
    };
    for (const signal of SIGNALS) process.on(signal, stop);
  });
