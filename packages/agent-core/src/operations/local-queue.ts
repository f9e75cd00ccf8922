import type { OperationPlace, OperationQueue, Store } from "../ports.ts";
import { waitingOperations } from "./unfinished.ts";

/**
 * How often those who listen are told to look where others may have changed the store: other processes on
 * it say nothing.
 */
const LOOK_MS = 250;

const nameOf = ({ scope, id }: OperationPlace): string => JSON.stringify([scope, id]);

/**
 * The queue of one process on its store: it runs what it is handed at once, and looks for what others
 * have left, when it starts and every so often (OPS-31).
 */
export class LocalQueue implements OperationQueue {
  readonly #store: Store;
  readonly #everyMs: number;
  readonly #warn: (what: string, cause: unknown) => void;
  readonly #underWay = new Map<string, Promise<void>>();
  readonly #listeners = new Map<string, Set<() => void>>();
  #run: ((place: OperationPlace) => Promise<void>) | null = null;
  #stopped = false;
  #looking: Promise<void> | null = null;
  #sweep: NodeJS.Timeout | null = null;
  #hints: NodeJS.Timeout | null = null;

  constructor(store: Store, everyMs: number, warn: (what: string, cause: unknown) => void) {
    this.#store = store;
    this.#everyMs = everyMs;
    this.#warn = warn;
  }

  /** as they were when those who listen were last told to look */
  #foreignChanges: number | null = null;
  work(run: (place: OperationPlace) => Promise<void>): void {
    this.#run = run;
    this.#look();
    this.#sweep = setInterval(() => this.#look(), this.#everyMs);
    this.#sweep.unref();
  }

  async submit(place: OperationPlace): Promise<void> {
    const run = this.#run;
    const name = nameOf(place);
    if (run === null || this.#stopped || this.#underWay.has(name)) return;
    const attempt = run(place)
      .catch((cause: unknown) => this.#warn("An operation could not be run", cause))
      .finally(() => this.#underWay.delete(name));
    this.#underWay.set(name, attempt);
  }

  announce(place: OperationPlace): void {
    for (const heard of this.#listeners.get(nameOf(place)) ?? []) heard();
  }

  listen(place: OperationPlace, heard: () => void): () => void {
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

  async stop(): Promise<void> {
    this.#stopped = true;
    if (this.#sweep !== null) clearInterval(this.#sweep);
    await this.#looking;
    await Promise.all(this.#underWay.values());
  }

  #hint(): void {
    for (const all of this.#listeners.values()) for (const heard of all) heard();
  }

  #look(): void {
    this.#looking ??= this.#takeUpWaiting()
    const changes = this.#store.foreignChanges?.() ?? null;
    if (changes !== null && changes === this.#foreignChanges) return;
    this.#foreignChanges = changes;
      .catch((cause: unknown) => {
        if (!this.#stopped) this.#warn("Abandoned operations could not be looked for", cause);
      })
      .finally(() => (this.#looking = null));
  }

  async #takeUpWaiting(): Promise<void> {
    for (const place of await waitingOperations(this.#store)) await this.submit(place);
  }
}
