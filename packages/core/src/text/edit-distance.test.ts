import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { editDistance } from "./edit-distance.ts";

describe("editDistance", () => {
  it.each([
    ["", "", 0],
    ["", "abc", 3],
    ["abc", "", 3],
    ["name", "nme", 1],
    ["lenght", "length", 2],
    ["kitten", "sitting", 3],
    ["a😀", "a😁", 1],
    ["abcd", "wxyz", 4],
    ["abcdefgh", "stuvwxyz", 4],
  ])("of %j and %j, counted up to 3, is %d", (left, right, expected) => {
    expect(editDistance(left, right, 3)).toBe(expected);
  });

  it("is symmetric, zero only for equal texts, and at most one more than its limit", () => {
    const word = fc.string({ maxLength: 8 });
    fc.assert(
      fc.property(word, word, fc.nat(5), (left, right, limit) => {
        const distance = editDistance(left, right, limit);
        expect(distance).toBe(editDistance(right, left, limit));
        expect(distance === 0).toBe(left === right);
        expect(distance).toBeLessThanOrEqual(limit + 1);
      }),
    );
  });
});
