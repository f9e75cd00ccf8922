import { costWithin } from "./cost-within.ts";
import type { CountTokens } from "./tokens.ts";

/**
 * More tokens than a text has: each holds a byte or more, and of a pair of surrogates between two counted pieces
 * each half is three.
 */
const mostTokens = (text: string): number => Buffer.byteLength(text) + (text.length >> 8);

/** What texts cost together; those are counted of which their length does not tell that they fit, and when somebody asks. */
export class Tally {
  readonly #budget: number;
  readonly #count: CountTokens;
  #counted = 0;
  #uncounted: string[] = [];
  #atMost = 0;

  constructor(budget: number, count: CountTokens) {
    this.#budget = budget;
    this.#count = count;
  }

  /** Takes a text that fits the budget beside the others, or `anyway`; false if it was not taken. */
  take(text: string, anyway = false): boolean {
    const most = mostTokens(text);
    if (this.#counted + this.#atMost + most <= this.#budget) {
      this.#uncounted.push(text);
      this.#atMost += most;
      return true;
    }
    const { tokens } = this;
    const cost = costWithin(text, Math.max(0, this.#budget - tokens), this.#count);
    if (tokens + cost > this.#budget && !anyway) return false;
    this.#counted += cost;
    return true;
  }

  /** The tokens of what was taken; of a text that did not fit some number that is too high. */
  get tokens(): number {
    for (const text of this.#uncounted)
      this.#counted += costWithin(text, this.#budget, this.#count);
    this.#uncounted = [];
    this.#atMost = 0;
    return this.#counted;
  }
}
