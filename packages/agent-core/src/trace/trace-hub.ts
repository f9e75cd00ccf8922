import { setImmediate as roundOfLoop } from "node:timers/promises";
import type { OperationKey, TraceSink } from "../ports.ts";
import type { Store } from "../store-port.ts";
import {
  newsOfTrace,
  type TimedFact,
  type TraceFact,
  type TraceKey,
  type TraceTotals,
} from "../records/traces.ts";
import { appendBatch, EMPTY_BATCH, joined, KEPT_EVENTS, type TraceBatch } from "./append-batch.ts";
import type { CountFact } from "../meter.ts";
import { countFact } from "./trace-view.ts";

/** Facts of one trace as they come: noting one costs the same however many wait with it. */
export class GatheredFacts {
  readonly #facts: TimedFact[];
  #skipped: number;
  #totals: TraceTotals;

  constructor({ facts, skipped, totals }: TraceBatch = EMPTY_BATCH) {
    this.#facts = [...facts];
    this.#skipped = skipped;
    this.#totals = totals;
  }

  add(fact: TimedFact): void {
    this.#facts.push(fact);
    this.#totals = countFact(this.#totals, fact);
    // Some at a time: each is moved at most once for each that is kept.
    if (this.#facts.length >= 2 * KEPT_EVENTS) this.#skipOldest();
  }

  /** What there is now; what comes later is not in it. */
  batch(): TraceBatch {
    this.#skipOldest();
    return { facts: [...this.#facts], skipped: this.#skipped, totals: this.#totals };
  }

  #skipOldest(): void {
    const over = this.#facts.length - KEPT_EVENTS;
    if (over <= 0) return;
    this.#facts.splice(0, over);
    this.#skipped += over;
  }
}

/** How long facts may wait to be written together, in ms. */
const TOGETHER_MS = 200;
/** The same after a store refused them. */
const AGAIN_MS = 2_000;
/** Times that a stopping process tries to write what it has. */
const LAST_TRIES = 3;

const keys = new WeakMap<TraceKey, string>();

/** What tells a place from others; all requests of a run are told to one. */
function keyOf(place: TraceKey): string {
  const key = keys.get(place) ?? JSON.stringify([place.scope, place.owner]);
  keys.set(place, key);
  return key;
}

interface Pending {
  readonly place: TraceKey;
  readonly facts: GatheredFacts;
}

export interface TraceHubOptions {
  readonly store: Store;
  /** tells other processes that a trace has grown */
  readonly announce: (place: OperationKey) => void;
  readonly warn: (what: string, cause: unknown) => void;
  /** counts what happens, also what is of no trace (OPS-44) */
  readonly count: CountFact;
}

/**
 * Takes what happens in this process and writes it to traces, some of it at a time: no call waits for it, and
 * a clean stop loses none (SURF-29).
 */
export class TraceHub implements TraceSink {
  readonly #options: TraceHubOptions;
  #pending = new Map<string, Pending>();
  readonly #placing = new Set<Promise<void>>();
  #timer: NodeJS.Timeout | null = null;
  #writing: Promise<void> = Promise.resolve();
  #refused = false;
  #stopped = false;

  constructor(options: TraceHubOptions) {
    this.#options = options;
  }

  note(place: TraceKey, fact: TraceFact): void {
    this.#options.count(fact);
    this.#add(place, { ...fact, at: this.#options.store.now() });
  }

  /** Looks when whoever is told of the same has been: an answer waits for no look-up. */
  noteWhere(find: () => Promise<TraceKey | null>, fact: TraceFact): void {
    this.#options.count(fact);
    const timed: TimedFact = { ...fact, at: this.#options.store.now() };
    const placed = roundOfLoop()
      .then(find)
      .then((place) => {
        if (place !== null) this.#add(place, timed);
      })
      .catch((cause: unknown) =>
        this.#options.warn("The trace of a call could not be found", cause),
      )
      .finally(() => this.#placing.delete(placed));
    this.#placing.add(placed);
  }

  /** Writes what there is; resolves when that is done, or was refused. */
  flush(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#write());
    return this.#writing;
  }

  /** The same for all that was noted before, what has no place yet too. */
  async settled(): Promise<void> {
    await Promise.all(this.#placing);
    await this.flush();
  }

  /** Writes all that was noted, and nothing that comes later. */
  async stop(): Promise<void> {
    for (let tries = 0; tries < LAST_TRIES; tries += 1) {
      await this.settled();
      if (this.#pending.size === 0) break;
    }
    this.#stopped = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  #add(place: TraceKey, fact: TimedFact): void {
    const key = keyOf(place);
    const known = this.#pending.get(key);
    const facts = known?.facts ?? new GatheredFacts();
    facts.add(fact);
    if (known === undefined) this.#pending.set(key, { place, facts });
    this.#soon();
  }

  #soon(): void {
    if (this.#stopped || this.#timer !== null) return;
    const ms = this.#refused ? AGAIN_MS : TOGETHER_MS;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      void this.flush();
    }, ms).unref();
  }

  async #write(): Promise<void> {
    const pending = this.#pending;
    this.#pending = new Map();
    for (const [key, { place, facts }] of pending) {
      const batch = facts.batch();
      try {
        await appendBatch(this.#options.store, place, batch);
        this.#refused = false;
        this.#options.announce(newsOfTrace(place));
      } catch (cause) {
        this.#keep(key, place, batch, cause);
      }
    }
  }

  /** What the store refused is written with what comes next. */
  #keep(key: string, place: TraceKey, batch: TraceBatch, cause: unknown): void {
    const since = this.#pending.get(key)?.facts.batch() ?? EMPTY_BATCH;
    this.#pending.set(key, { place, facts: new GatheredFacts(joined(batch, since)) });
    if (!this.#refused) this.#options.warn("A trace could not be written", cause);
    this.#refused = true;
    this.#soon();
  }
}
