import type { StructuredResult } from "@plasm/agent-core";
import { isAnswered, meaning } from "@plasm/eval";
import type { Effect } from "@plasm/sample-apis/shop";
import type { RightAnswer } from "./task.ts";

/** What a program brought about: its results, and the writes that reached the server. */
export interface AnswerFacts {
  readonly results: readonly StructuredResult[];
  readonly effects: readonly Effect[];
}

const written = (effects: readonly Effect[]): string =>
  JSON.stringify(
    effects.map(({ method, path, body }) => `${method} ${path} ${meaning(body)}`).toSorted(),
  );

/** Whether a program did what was asked, and nothing besides. */
export function isRight(expected: RightAnswer, { results, effects }: AnswerFacts): boolean {
  if ("oneOf" in expected) return expected.oneOf.some((one) => isRight(one, { results, effects }));
  if ("effects" in expected) return written(effects) === written(expected.effects);
  return effects.length === 0 && isAnswered(expected, results);
}
