import type { OperationKey, OperationQueue } from "./ports.ts";
import type { Store } from "./store-port.ts";

/**
 * How often those who listen are told to look where others may have changed the store: other processes on
 * it say nothing.
 */
const LOOK_MS = 250;

const nameOf = ({ scope, id }: OperationKey): string => JSON.stringify([scope, id]);

/** The queue of one process on its store: it runs what it is handed at once. */
export class LocalQueue implements OperationQueue {
  readonly #store: Store;
  readonly #warn: (what: string, cause: unknown) => void;
  readonly #underWay = new Map<string, Promise<void>>();
  readonly #listeners = new Map<string, Set<() => void>>();
  #run: ((place: OperationKey) => Promise<void>) | null = null;
  #hints: NodeJS.Timeout | null = null;
  /** as they were when those who listen were last told to look */
  #foreignChanges: number | null = null;

  constructor(store: Store, warn: (what: string, cause: unknown) => void) {
    this.#store = store;
    this.#warn = warn;
  }

  work(run: (place: OperationKey) => Promise<void>): void {
    this.#run = run;
  }

  async submit(place: OperationKey): Promise<void> {
    const run = this.#run;
    const name = nameOf(place);
    if (run === null || this.#underWay.has(name)) return;
    const attempt = run(place)
      .catch((cause: unknown) => this.#warn("An operation could not be run", cause))
      .finally(() => this.#underWay.delete(name));
    this.#underWay.set(name, attempt);
  }

  announce(place: OperationKey): void {
    for (const heard of this.#listeners.get(nameOf(place)) ?? []) heard();
  }

  listen(place: OperationKey, heard: () => void): () => void {
    const name = nameOf(place);
    const all = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, all.add(heard));
    this.#hints ??= setInterval(() => this.#hint(), LOOK_MS).unref();
    return () => {
      all.delete(heard);
      if (all.size === 0 && this.#listeners.get(name) === all) this.#listeners.delete(name);
      if (this.#listeners.size > 0 || this.#hints === null) return;
      clearInterval(this.#hints);
      this.#hints = null;
    };
  }

  async rest(): Promise<void> {
    this.#run = null;
    await Promise.all(this.#underWay.values());
  }

  stop(): Promise<void> {
    return this.rest();
  }

  #hint(): void {
    const changes = this.#store.foreignChanges?.() ?? null;
    if (changes !== null && changes === this.#foreignChanges) return;
    this.#foreignChanges = changes;
    for (const all of this.#listeners.values()) for (const heard of all) heard();
  }
}

/** What a stream waits on until it looks again. */
interface Changes {
  /** Resolves when there may be something new, or the reader has gone; news in between are not missed. */
  next(): Promise<void>;
  stop(): void;
}

/** Listens for news of a place until `stop`, and wakes every `lookMs` without any: news may be lost. */
export function changesOf(
  queue: OperationQueue,
  place: OperationKey,
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
