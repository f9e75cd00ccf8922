import { expect, test } from "vitest";
import { guessWords } from "./guess-words.ts";
import { PEER_TASKS } from "./tasks/all-tasks.ts";

test.each([
  ["title of issue 42", "Issue", "issue"],
  ["the open pull requests", "PullRequest", "pull requests"],
  ["people of the register", "Person", "people"],
  ["each owner, a person", "Person", "person"],
  ["stars of the repositories", "Repository", "repositories"],
  ["who reviewed it", "Review", null],
  ["labelled bug", "Label", null],
  ["a request", "PullRequest", null],
  ["members of it", "User", null],
])("%s: %s is guessed as %s", (question, entity, words) => {
  expect(guessWords(question, entity)).toBe(words);
});

test("the questions of 29 tasks name all that they need, and of one do not", () => {
  const discovered = PEER_TASKS.filter(({ question, plasm: { seeds } }) =>
    seeds.some(([, entity]) => guessWords(question, entity) === null),
  );
  expect(discovered.map(({ name }) => name)).toEqual(["reviewers by name"]);
});
