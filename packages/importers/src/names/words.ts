/** Names that are remembered, and how long one may be: a document says each of few names again and again. */
const [MOST_NAMES, LONGEST_NAME] = [4_000, 60];
const known = new Map<string, readonly string[]>();

/** The words of a name, in lower case: `BoatEntry`, `boat-entry` and `boat_entry` have the same two. */
export function wordsOf(name: string): readonly string[] {
  const before = known.get(name);
  if (before !== undefined) return before;
  const words = freshWords(name);
  if (name.length > LONGEST_NAME) return words;
  if (known.size >= MOST_NAMES) known.clear();
  known.set(name, words);
  return words;
}

function freshWords(name: string): readonly string[] {
  // `URLs` is one word: an s that ends it is its plural.
  return name
    .normalize("NFKD")
    .replaceAll(/\p{M}+/gu, "")
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replaceAll(/([A-Z])([A-Z](?!s(?![a-z]))[a-z])/g, "$1 $2")
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== "")
    .map((word) => word.toLowerCase());
}

/** What two spellings of one name have in common. */
export const folded = (name: string): string => wordsOf(name).join("");

/** Words as the name of a field, an argument or a call: `boat entry` is `boat_entry`. */
export const snake = (words: readonly string[]): string => words.join("_");

/** Words as the name of an entity: `boat entry` is `BoatEntry`. */
export const pascal = (words: readonly string[]): string =>
  words.map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`).join("");
