import type { CapabilityKind } from "../schema/capability.ts";
import { foldWord } from "./fold-word.ts";

/** What an intent may ask for, the words that say so, and the kinds of capability that do it. */
const VERBS: readonly {
  readonly words: readonly string[];
  readonly kinds: readonly CapabilityKind[];
}[] = [
  { words: ["list", "show", "browse", "all"], kinds: ["query"] },
  { words: ["find", "search", "look", "lookup", "which"], kinds: ["search", "query"] },
  { words: ["create", "add", "new", "make", "insert"], kinds: ["create"] },
  { words: ["change", "update", "edit", "modify", "set", "rename"], kinds: ["update", "action"] },
  { words: ["delete", "remove", "drop", "erase", "cancel"], kinds: ["delete"] },
];

const FOLDED = VERBS.map(({ words, kinds }) => ({ words: new Set(words.map(foldWord)), kinds }));

/** The terms of words that only say what to do. */
export const VERB_TERMS: ReadonlySet<string> = new Set(FOLDED.flatMap(({ words }) => [...words]));

/** The kinds of capability that the verbs of an intent ask for, one list per verb (TEACH-37). */
export function askedKinds(terms: readonly string[]): readonly (readonly CapabilityKind[])[] {
  return FOLDED.filter(({ words }) => terms.some((term) => words.has(term))).map(
    ({ kinds }) => kinds,
  );
}
