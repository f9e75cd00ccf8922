/** Plurals that no ending tells. */
const PLURALS: Readonly<Record<string, string>> = { person: "people" };

/** A noun in both numbers, as a pattern. */
function inBothNumbers(noun: string): string {
  const plural = PLURALS[noun] ?? (noun.endsWith("y") ? `${noun.slice(0, -1)}ies` : `${noun}s`);
  return `(?:${noun}|${plural})`;
}

/**
 * The words of a question that name an entity: its own name, in small letters and apart, as a noun in either
 * number (`pull requests` for PullRequest). Null where the question has another word for it, or a verb.
 */
export function guessWords(question: string, entity: string): string | null {
  const words = (entity.match(/[A-Z][a-z]*/g) ?? []).map((word) => word.toLowerCase());
  const last = words.pop();
  if (last === undefined) return null;
  const name = [...words, inBothNumbers(last)].join(" ");
  return new RegExp(`\\b${name}\\b`, "i").exec(question)?.[0] ?? null;
}
