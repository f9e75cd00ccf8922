/** Counts o200k tokens of a text. */
export type CountTokens = (text: string) => number;

let loaded: Promise<CountTokens> | null = null;

/** The counter, with its vocabulary loaded on first use (budgets: SURF-11, TEACH-41). */
export function tokenCounter(): Promise<CountTokens> {
  loaded ??= import("gpt-tokenizer/encoding/o200k_base").then(
    ({ countTokens }) =>
      (text: string) =>
        countTokens(text),
  );
  return loaded;
}
