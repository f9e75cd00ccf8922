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

/** Counts o200k tokens of a text. */
export type CountTokens = (text: string) => number;

/** Counting takes time quadratic in a run of letters, signs or blanks; hosts, APIs and agents send such. */
const LONG_RUN = /\S{512}|\s{512}/;
const PIECE = 512;

/**
 * Makes a counter linear: a text with a run of 512 characters or more without a break (or of blanks
 * only) is counted in pieces, which may make it a few tokens more. Any other is counted exactly.
 */
export const countsInLinearTime =
  (count: CountTokens): CountTokens =>
  (text) => {
    if (!LONG_RUN.test(text)) return count(text);
    let tokens = 0;
    for (let start = 0; start < text.length; start += PIECE) {
      tokens += count(text.slice(start, start + PIECE));
    }
    return tokens;
  };

/** Characters that are counted before the words in them are forgotten: most of an answer's come again in the next. */
const REMEMBERED = 250_000;

/**
 * Has a counter forget the words that it remembers, every so many characters. They are slices of the texts that they
 * stood in, so that one word keeps a whole page in memory.
 */
const forgetsWords = (count: CountTokens, forget: () => void): CountTokens => {
  let counted = 0;
  return (text) => {
    const tokens = count(text);
    counted += text.length;
    if (counted >= REMEMBERED) {
      forget();
      counted = 0;
    }
    return tokens;
  };
};

let loaded: Promise<CountTokens> | null = null;

/** The counter, with its vocabulary loaded on first use (budgets: SURF-11, TEACH-41). */
export function tokenCounter(): Promise<CountTokens> {
  loaded ??= import("gpt-tokenizer/encoding/o200k_base").then(({ countTokens, clearMergeCache }) =>
    forgetsWords(
      countsInLinearTime((text) => countTokens(text)),
      clearMergeCache,
    ),
  );
  return loaded;
}

/** Counting is quadratic in a run of text without breaks, so text is counted in pieces this long. */
const COUNTED_PIECE = 512;

/**
 * The tokens of a text, or some number above `limit` as soon as it is passed: a cell of a megabyte
 * costs no more than one that just does not fit. Pieces may count a few tokens more than the whole.
 */
export function costWithin(text: string, limit: number, count: CountTokens): number {
  let cost = 0;
  for (let start = 0; start < text.length && cost <= limit; start += COUNTED_PIECE) {
    cost += count(text.slice(start, start + COUNTED_PIECE));
  }
  return cost;
}
