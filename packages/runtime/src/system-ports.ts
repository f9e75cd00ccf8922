import { randomUUID } from "node:crypto";
import type { Clock, IdSource } from "./ports.ts";

/** The machine's clock. */
export const systemClock: Clock = Object.freeze({
  now: () => Date.now(),
  elapsed: () => performance.now(),
  sleep: (ms: number, signal?: AbortSignal) =>
    new Promise<void>((resolve) => {
      if (signal?.aborted === true) return resolve();
      const end = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", end);
        resolve();
      };
      const timer = setTimeout(end, ms);
      signal?.addEventListener("abort", end, { once: true });
    }),
});

/** The machine's randomness. */
export const systemIds: IdSource = Object.freeze({
  id: () => randomUUID(),
  random: () => Math.random(),
});
