import type { OperationQueue, Store } from "../ports.ts";
import { waitingOperations } from "./unfinished.ts";

/** The least time between two looks, in ms: what was handed over takes a moment to be claimed. */
const LEAST_MS = 500;

/** The time between portions of what dead processes left, in ms. */
const PACE_MS = 2_000;

interface LeftoversOptions {
  readonly store: Store;
  readonly queue: OperationQueue;
  /** how often it looks at least, in ms */
  readonly everyMs: number;
  readonly warn: (what: string, cause: unknown) => void;
}

/**
 * Hands over the operations that nobody runs, those of processes that have died or stopped: when it starts, when a
 * lease may have lapsed, and every so often (OPS-31). It also finds runs that nobody submitted (OPS-39).
 * Of those whose process died while it ran them one comes first, then two, and so on: whichever of them ends this
 * process as well should have as few as possible beside it.
 */
export class Leftovers {
  readonly #options: LeftoversOptions;
  #looking: Promise<void> | null = null;
  #timer: NodeJS.Timeout | null = null;
  #ending: Promise<void> | null = null;
  #portion = 1;

  constructor(options: LeftoversOptions) {
    this.#options = options;
  }

  start(): void {
    this.#looking = this.#look();
  }

  /** Lets the queue rest, then hands over what this process itself leaves, so that others go on at once. */
  end(): Promise<void> {
    this.#ending ??= this.#end();
    return this.#ending;
  }

  async #end(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#options.queue.rest();
    await this.#looking;
    await this.#handOver().catch(() => undefined);
  }

  async #look(): Promise<void> {
    const { everyMs, warn } = this.#options;
    const nextMs = await this.#handOver().catch((cause: unknown) => {
      if (this.#ending === null) warn("Abandoned operations could not be looked for", cause);
      return null;
    });
    if (this.#ending !== null) return;
    const inMs = Math.min(everyMs, Math.max(LEAST_MS, nextMs ?? everyMs));
    this.#timer = setTimeout(() => this.start(), inMs).unref();
  }

  /** Gives the ms until a lease may lapse, from when there may be more. */
  async #handOver(): Promise<number | null> {
    const { store, queue } = this.#options;
    const { places, suspects, nextMs } = await waitingOperations(store);
    const now = suspects.slice(0, this.#portion);
    for (const place of [...places, ...now]) await queue.submit(place);
    const isLast = suspects.length <= now.length;
    this.#portion = isLast ? 1 : this.#portion * 2;
    return isLast ? nextMs : PACE_MS;
  }
}
