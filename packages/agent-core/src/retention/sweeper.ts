import type { Store } from "../ports.ts";
import { sweep } from "./sweep.ts";
import type { SweepTimes } from "./retention.ts";

/** How often a store is swept, by whichever of its processes. */
export const SWEEP_EVERY_MS = 300_000;

/** A process that has just started has other things to do. */
const FIRST_MS = 10_000;

const SCOPE = "";
const ID = "store";

/**
 * Takes the turn to sweep, unless a process had it so shortly ago; of two at once one gets it. A time to
 * come is that of a clock that was set back.
 */
async function takeTurn(store: Store, everyMs: number): Promise<boolean> {
  const now = store.now();
  const last = await store.get("sweep", SCOPE, ID);
  if (last === null) return store.insert("sweep", SCOPE, ID, { at: now });
  const since = now - last.value.at;
  if (since >= 0 && since < everyMs) return false;
  return store.cas("sweep", SCOPE, ID, last.version, { at: now });
}

/** What a sweeper is told. */
export interface SweeperOptions {
  readonly store: Store;
  readonly times: SweepTimes;
  readonly everyMs: number;
  readonly warn: (what: string, cause: unknown) => void;
}

/** Sweeps a store every so often while it runs (SESS-37). A sweep that fails is tried again with the next. */
export class Sweeper {
  readonly #options: SweeperOptions;
  readonly #stopping = new AbortController();
  #timer: NodeJS.Timeout | null = null;
  #underWay: Promise<void> = Promise.resolve();

  constructor(options: SweeperOptions) {
    this.#options = options;
  }

  start(): void {
    this.#next(Math.min(FIRST_MS, this.#options.everyMs));
  }

  /** Resolves when nothing of it uses the store any more. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#underWay;
  }

  #next(ms: number): void {
    const { everyMs } = this.#options;
    this.#timer = setTimeout(() => {
      this.#underWay = this.#sweep().finally(() => {
        if (!this.#stopping.signal.aborted) this.#next(everyMs);
      });
    }, ms).unref();
  }

  async #sweep(): Promise<void> {
    const { store, times, everyMs, warn } = this.#options;
    try {
      if (await takeTurn(store, everyMs)) await sweep(store, times, this.#stopping.signal);
    } catch (cause) {
      if (!this.#stopping.signal.aborted) warn("The store could not be swept", cause);
    }
  }
}
