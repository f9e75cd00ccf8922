import { changeInName, verbInCall } from "@plasm/core/internal";
import { wordsOf } from "./words.ts";

const NO_NOUNS: ReadonlySet<string> = new Set();

/** Whether a word is a verb of change that is hardly ever a noun. */
export const isChange = (word: string): boolean => changeInName(`${word} it`, NO_NOUNS) !== null;

/** What is said of a call without what it answers, which is not what it does: "Returns true if it was deleted". */
export const withoutAnswer = (description: string): string =>
  description.replace(/^(?:returns?|gives?|answers?) /i, "");

/** What a type is about that is called like an operation: the pad of `DeletePad`, the job of `JobCancel`. */
export function thingOf(name: string): string {
  const words = wordsOf(name);
  const [first = "", ...rest] = words;
  const behind = changeInName(name, NO_NOUNS) !== null && isChange(first) ? rest : words;
  const isLast = behind.length > 1 && isChange(behind.at(-1) ?? "");
  return (isLast ? behind.slice(0, -1) : behind).join(" ");
}

/** Whether an API calls what it does by verbs (`movePad`): most names of several words begin with one. */
export function areCalls(names: readonly string[]): boolean {
  const several = names.filter((name) => wordsOf(name).length > 1);
  const calls = several.filter((name) => verbInCall(name) !== null);
  return calls.length >= 6 && calls.length > several.length * 0.6;
}
