/**
 * In place of the vocabulary of o200k, which alone is two thirds of what the page may have: about as many tokens as a
 * text has. It decides what of a long answer is shown, and nothing else (docs/adr/0211).
 */
const BYTES_A_TOKEN = 3.5;

export const countTokens = (text: string): number =>
  Math.ceil(new TextEncoder().encode(text).length / BYTES_A_TOKEN);

/** Nothing is remembered. */
export const clearMergeCache = (): void => undefined;
