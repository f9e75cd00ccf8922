import type { CatalogIndex } from "./catalog-index.ts";
import type { ReadIntent } from "./read-intent.ts";

const LONGEST_NAME = 4;

/** Words of an intent that stand together as a name of something, by their numbers; longest first. */
export function namePhrases(
  { said, terms }: ReadIntent,
  indexes: readonly CatalogIndex[],
): readonly (readonly number[])[] {
  const words = new Map(terms.map(({ term, word }) => [term, word]));
  const found: (readonly number[])[] = [];
  let at = 0;
  while (at < said.length) {
    const length = lengthOfName(said, at, indexes);
    if (length > 1)
      found.push(said.slice(at, at + length).flatMap((term) => words.get(term) ?? []));
    at += length;
  }
  return found;
}

/** How many words from here on are a name, 1 if none begins here. */
function lengthOfName(
  said: readonly string[],
  at: number,
  indexes: readonly CatalogIndex[],
): number {
  for (let length = Math.min(LONGEST_NAME, said.length - at); length > 1; length -= 1) {
    const name = said.slice(at, at + length).join(" ");
    if (indexes.some(({ phrases }) => phrases.has(name))) return length;
  }
  return 1;
}
