import { foldWord } from "./fold-word.ts";

/** Runs of letters; `APIs` and the like stay one word. */
const RUN = /[\p{L}\p{M}]+/gu;
/** An acronym (with its plural s), a capitalised or small word, or letters without case. */
const WORD =
  /\p{Lu}{2,}s?(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{M}]+|\p{Lu}+(?=\p{Lu}\p{Ll})|[\p{Lu}\p{Lt}]+|[\p{Lm}\p{Lo}\p{M}]+/gu;

/**
 * The terms of a text (TEACH-37): split at non-letters, at camel and snake boundaries, acronyms kept
 * whole; lower case, plural and -ing/-ed folded; terms of one character dropped.
 */
export function tokenize(text: string): readonly string[] {
  return plainWords(text)
    .map(foldWord)
    .filter((term) => Array.from(term).length > 1);
}

/** The words of a text in lower case, not folded. */
export function plainWords(text: string): readonly string[] {
  const runs = text.normalize("NFC").match(RUN) ?? [];
  return runs.flatMap((run) => run.match(WORD) ?? []).map((word) => word.toLowerCase());
}
