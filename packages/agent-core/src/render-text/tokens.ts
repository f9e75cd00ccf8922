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
