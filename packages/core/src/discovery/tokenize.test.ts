import fc from "fast-check";
import { expect, test } from "vitest";
import { wellFormedText } from "../../test/arbitrary-text.ts";
import { foldWord } from "./fold-word.ts";
import { plainWords, tokenize } from "./tokenize.ts";

test.each([
  ["list boats", ["list", "boats"]],
  ["query_owner", ["query", "owner"]],
  ["mark-lost", ["mark", "lost"]],
  ["TimeEntry", ["time", "entry"]],
  ["HTTPServer", ["http", "server"]],
  ["PRReview", ["pr", "review"]],
  ["two APIs, one URL", ["two", "apis", "one", "url"]],
  ["v2 of boat2boat", ["v", "of", "boat", "boat"]],
  ["Bäume pflanzen", ["bäume", "pflanzen"]],
  ["ÄÖÜMarke", ["äöü", "marke"]],
  ["дерево 木 ", ["дерево", "木"]],
  ["", []],
])(
  "words of %j: split at non-letters, camel and snake, acronyms whole (TEACH-37)",
  (text, words) => {
    expect(plainWords(text)).toEqual(words);
  },
);

test("terms of one character are dropped (TEACH-37)", () => {
  expect(tokenize("a boat x of")).toEqual([foldWord("boat"), "of"]);
});

test.each([
  ["boat", "boats"],
  ["plan", "plans", "planned", "planning"],
  ["close", "closes", "closed", "closing"],
  ["carry", "carries", "carried", "carrying"],
  ["box", "boxes"],
  ["branch", "branches"],
  ["class", "classes"],
  ["issue", "issues"],
  ["entry", "entries"],
  ["fill", "filled", "filling"],
  ["tag", "tags", "tagged"],
  ["movie", "movies"],
  ["prune", "pruning", "pruned"],
  ["write", "wrote", "written", "writes"],
  ["person", "people"],
  ["build", "built"],
  ["harbour", "harbor", "harbours"],
  ["organise", "organize", "organised", "organizing"],
  ["organisation", "organizations"],
  ["catalogue", "catalog"],
])("plural, -ing, -ed, irregular forms and spellings are folded: %s (TEACH-37)", (...words) => {
  expect(new Set(words.map(foldWord)).size).toBe(1);
});

test.each([
  ["status", "stat"],
  ["ring", "r"],
  ["need", "ne"],
  ["sing", "s"],
  ["this", "thi"],
  ["bus", "bu"],
  ["four", "for"],
  ["this", "thiz"],
])("%s is no form of %s", (word, other) => {
  expect(foldWord(word)).not.toBe(foldWord(other));
});

test("any text has terms", () => {
  fc.assert(
    fc.property(wellFormedText(), (text) => {
      for (const term of tokenize(text)) expect(term).toBe(term.toLowerCase());
    }),
  );
});

// How the time grows is measured in bench/; what is quadratic would not end before the test's limit.
test("a long word is one term", () => {
  expect(tokenize("A".repeat(100_000) + "a".repeat(100_000))).toHaveLength(2);
});
