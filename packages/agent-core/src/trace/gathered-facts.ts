import type { TimedFact, TraceTotals } from "../records/trace-record.ts";
import { countFact } from "./totals.ts";
import { EMPTY_BATCH, KEPT_EVENTS, type TraceBatch } from "./trace-batch.ts";

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
