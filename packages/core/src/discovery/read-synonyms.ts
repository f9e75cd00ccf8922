import { foldWord, plainWords } from "./words.ts";

/** What a word, or words joined by spaces, may stand for: terms; none for a word of what no API is about. */
export type Synonyms = ReadonlyMap<string, readonly string[]>;

/**
 * Reads a table of words, a line each: `left > right`, words that all stand for each other, or `left >` for what no API is about
 * (TEACH-48).
 */
export function readSynonyms(lines: string): Synonyms {
  const found = new Map<string, Set<string>>();
  const add = (from: string, to: string): void => {
    if (from === to) return;
    found.set(from, (found.get(from) ?? new Set()).add(to));
  };
  for (const line of lines.trim().split("\n")) {
    const [left = [], right = left] = line.split(" >").map(wordsOf);
    for (const from of left) {
      if (right.length === 0 && !found.has(from)) found.set(from, new Set());
      for (const to of right) add(from, to);
    }
  }
  return new Map([...found].map(([from, to]) => [from, [...to]]));
}

const wordsOf = (side: string): readonly string[] => (side.match(/\S+/g) ?? []).map(termsOf);
const termsOf = (word: string): string => plainWords(word).map(foldWord).join(" ");
