import fc from "fast-check";
import { expect, test } from "vitest";
import { knownWord, nearWords, typingErrors } from "./near-words.ts";

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
