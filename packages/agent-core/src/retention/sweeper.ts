import { spilledBytes } from "@plasm/runtime";
import type { Store } from "../ports.ts";
import { keepWithin, keptWithinText } from "./keep-within.ts";
import { sweep } from "./sweep.ts";
import type { TenantBytes } from "./tenant-bytes.ts";
import type { SweepTimes } from "./retention.ts";

/** How often a store is swept, by whichever of its processes. */
export const SWEEP_EVERY_MS = 300_000;

/** A process that has just started has other things to do. */
const FIRST_MS = 10_000;

/** How often a store is looked at for being over its limit. */
export const LOOK_EVERY_MS = 10_000;

const SCOPE = "";
const ID = "store";
/** The turn to bring a store below its limit. */
const BOUND_ID = "bound";

/**
 * Takes the turn to sweep, unless a process had it so shortly ago; of two at once one gets it. A time to
 * come is that of a clock that was set back.
 */
async function takeTurn(store: Store, everyMs: number, id = ID): Promise<boolean> {
  const now = store.now();
  const last = await store.get("sweep", SCOPE, id);
  if (last === null) return store.insert("sweep", SCOPE, id, { at: now });
  const since = now - last.value.at;
  if (since >= 0 && since < everyMs) return false;
  return store.cas("sweep", SCOPE, id, last.version, { at: now });
}

/** What a sweeper is told. */
export interface SweeperOptions {
  readonly store: Store;
  readonly times: SweepTimes;
  readonly everyMs: number;
  /** bytes that the store may hold */
  readonly limit: number;
  readonly lookEveryMs: number;
  /** added up whenever the store may have been swept */
  readonly tenants: TenantBytes;
  readonly warn: (what: string, cause: unknown) => void;
}

/** Sweeps a store every so often while it runs (SESS-37). A sweep that fails is tried again with the next. */
export class Sweeper {
  readonly #options: SweeperOptions;
  readonly #stopping = new AbortController();
  #timer: NodeJS.Timeout | null = null;
  #looking: NodeJS.Timeout | null = null;
  #underWay: Promise<void> = Promise.resolve();

  constructor(options: SweeperOptions) {
    this.#options = options;
  }

  start(): void {
    this.#next(Math.min(FIRST_MS, this.#options.everyMs));
    if (this.#options.store.size !== undefined) this.#lookAgain();
  }

  /** Resolves when nothing of it uses the store any more. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    if (this.#timer !== null) clearTimeout(this.#timer);
    if (this.#looking !== null) clearTimeout(this.#looking);
    await this.#underWay;
  }

  #next(ms: number): void {
    const { everyMs } = this.#options;
    this.#timer = setTimeout(() => {
      this.#underWay = this.#after(() => this.#sweep()).finally(() => {
        if (!this.#stopping.signal.aborted) this.#next(everyMs);
      });
    }, ms).unref();
  }

  #lookAgain(): void {
    this.#looking = setTimeout(() => {
      this.#underWay = this.#after(() => this.#keepWithin()).finally(() => {
        if (!this.#stopping.signal.aborted) this.#lookAgain();
      });
    }, this.#options.lookEveryMs).unref();
  }

  /** One at a time: what is being swept is not dropped meanwhile. */
  async #after(work: () => Promise<void>): Promise<void> {
    await this.#underWay;
    if (!this.#stopping.signal.aborted) await work();
  }

  /** Brings the store below its limit, at most as often as it is looked at, whichever process does. */
  async #keepWithin(): Promise<void> {
    const { store, limit, lookEveryMs, warn } = this.#options;
    try {
      const size = await store.size?.();
      if (size === undefined || size.used + spilledBytes() <= limit) return;
      if (!(await takeTurn(store, lookEveryMs, BOUND_ID))) return;
      const kept = await keepWithin(store, limit - spilledBytes(), this.#stopping.signal);
      if (kept === null) return;
      await store.reclaim?.();
      warn(keptWithinText(kept, limit), null);
    } catch (cause) {
      if (!this.#stopping.signal.aborted)
        warn("The store could not be kept within its limit", cause);
    }
  }

  async #sweep(): Promise<void> {
    const { store, times, everyMs, warn, tenants } = this.#options;
    try {
      if (await takeTurn(store, everyMs)) {
        await sweep(store, times, this.#stopping.signal);
        await store.reclaim?.();
      }
      if (!this.#stopping.signal.aborted) await tenants.measure(store);
    } catch (cause) {
      if (!this.#stopping.signal.aborted) warn("The store could not be swept", cause);
    }
  }
}
