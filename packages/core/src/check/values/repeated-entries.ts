import type { ObjectEntry } from "../../language/ast-values.ts";

/** The entries of an object whose key is written in an entry before them; keys are opaque (TEACH-9). */
export function repeatedEntries(entries: readonly ObjectEntry[]): readonly ObjectEntry[] {
  const seen = new Set<string>();
  return entries.filter(({ key }) => {
    const isRepeated = seen.has(key.text);
    seen.add(key.text);
    return isRepeated;
  });
}
