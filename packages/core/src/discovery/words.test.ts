import fc from "fast-check";
import { expect, test } from "vitest";
import { foldWord, knownWord, nearWords, plainWords, tokenize, typingErrors } from "./words.ts";
import { wellFormedText } from "../../test/arbitrary-text.ts";

test.each([
  ["alert", "alert", 0],
  ["alret", "alert", 1],
  ["isue", "issue", 1],
  ["isssue", "issue", 1],
  ["ossue", "issue", 1],
  ["vesle", "vessel", 2],
  ["", "ab", 2],
  ["boat", "yard", 4],
])("%j and %j are %i typing errors apart", (left, right, errors) => {
  expect(typingErrors(left, right, 5)).toBe(errors);
  expect(typingErrors(right, left, 5)).toBe(errors);
});

const word = fc.string({ unit: fc.constantFrom("a", "b", "c", "ä", "木"), maxLength: 7 });

test("more than the limit is told as one more than it", () => {
  fc.assert(
    fc.property(word, word, fc.nat({ max: 4 }), (left, right, limit) => {
      const errors = typingErrors(left, right, 20);
      expect(typingErrors(left, right, limit)).toBe(Math.min(errors, limit + 1));
    }),
  );
});

test("no near word is passed over for its letters or its length", () => {
  fc.assert(
    fc.property(word, fc.array(word, { maxLength: 20 }), fc.nat({ max: 2 }), (said, all, limit) => {
      const found = nearWords(said, limit, all.map(knownWord));
      const near = all.filter((each) => typingErrors(said, each, limit) <= limit);
      expect(found.map(({ term }) => term).toSorted()).toEqual(near.toSorted());
      const errors = found.map((each) => each.errors);
      expect(errors).toEqual(errors.toSorted((a, b) => a - b));
    }),
  );
});

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
