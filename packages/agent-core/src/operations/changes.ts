import type { OperationPlace, OperationQueue } from "../ports.ts";

/** What a stream waits on until it looks again. */
export interface Changes {
  /** Resolves when there may be something new, or the reader has gone; news in between are not missed. */
  next(): Promise<void>;
  stop(): void;
}

/** Listens for news of a place until `stop`, and wakes every `lookMs` without any: news may be lost. */
export function changesOf(
  queue: OperationQueue,
  place: OperationPlace,
  signal: AbortSignal,
  lookMs?: number,
): Changes {
  let heard = false;
  let wake: () => void = () => undefined;
  const hear = (): void => {
    heard = true;
    wake();
  };
  const unlisten = queue.listen(place, hear);
  const looks = lookMs === undefined ? undefined : setInterval(hear, lookMs).unref();
  signal.addEventListener("abort", hear);
  return {
    next: async () => {
      if (!heard && !signal.aborted) await new Promise<void>((resolve) => (wake = resolve));
      heard = false;
    },
    stop: () => {
      unlisten();
      clearInterval(looks);
      signal.removeEventListener("abort", hear);
    },
  };
}
