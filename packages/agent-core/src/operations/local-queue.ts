import type { OperationPlace, OperationQueue, Store } from "../ports.ts";
import { waitingOperations } from "./unfinished.ts";

/**
 * How often those who listen are told to look where others may have changed the store: other processes on
 * it say nothing.
 */
const LOOK_MS = 250;

/** The least time between two looks: a process that goes on with what was left takes a moment to claim it. */
const LEAST_MS = 50;

/** When to look again: at the next lease that may lapse, and every so often all the same. */
const lookIn = (nextMs: number | null, everyMs: number): number =>
  Math.min(everyMs, Math.max(LEAST_MS, nextMs ?? everyMs));

const nameOf = ({ scope, id }: OperationPlace): string => JSON.stringify([scope, id]);

/**
 * The queue of one process on its store: it runs what it is handed at once, and looks for what others
 * have left, when it starts, when a lease may have lapsed, and every so often (OPS-31).
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
  /** as they were when those who listen were last told to look */
  #foreignChanges: number | null = null;

  constructor(store: Store, everyMs: number, warn: (what: string, cause: unknown) => void) {
    this.#store = store;
    this.#everyMs = everyMs;
    this.#warn = warn;
  }

  work(run: (place: OperationPlace) => Promise<void>): void {
    this.#run = run;
    this.#look();
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
    if (this.#sweep !== null) clearTimeout(this.#sweep);
    await this.#looking;
    await Promise.all(this.#underWay.values());
  }

  #hint(): void {
    const changes = this.#store.foreignChanges?.() ?? null;
    if (changes !== null && changes === this.#foreignChanges) return;
    this.#foreignChanges = changes;
    for (const all of this.#listeners.values()) for (const heard of all) heard();
  }

  #look(): void {
    this.#looking ??= this.#takeUpWaiting()
      .catch((cause: unknown) => {
        if (!this.#stopped) this.#warn("Abandoned operations could not be looked for", cause);
        return null;
      })
      .then((nextMs) => {
        this.#looking = null;
        if (this.#stopped) return;
        this.#sweep = setTimeout(() => this.#look(), lookIn(nextMs, this.#everyMs)).unref();
      });
  }

  async #takeUpWaiting(): Promise<number | null> {
    const { places, nextMs } = await waitingOperations(this.#store);
    for (const place of places) await this.submit(place);
    return nextMs;
  }
}
