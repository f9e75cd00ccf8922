import fc from "fast-check";
import { actingIn, halfPairsIn, HOSTILE_KEYS, HOSTILE_TEXTS } from "@plasm/testkit";
import { describe, expect, it, test } from "vitest";
import { compareCodePoints, editDistance, visible, visibleLines, withoutActing } from "./text.ts";

describe("hostile texts where they are shown (SURF-13)", () => {
  it.each(HOSTILE_TEXTS)("$name: one line, in which nothing acts", ({ text }) => {
    const shown = visible(text);
    expect(shown).not.toMatch(/[\n\t]/);
    expect(actingIn(shown)).toEqual([]);
    expect(halfPairsIn(shown)).toBe(0);
    expect(shown).toMatch(/^a.*z$/);
  });

  it.each(HOSTILE_TEXTS)("$name: lines and TABs alone are kept in whole answers", ({ text }) => {
    const shown = visibleLines(text);
    expect(actingIn(shown)).toEqual([]);
    expect(visible(shown)).toBe(visible(text));
    expect(shown.split("\n").length).toBe(text.split(/\r\n?|\n/).length);
  });

  it.each(HOSTILE_TEXTS)("$name: as long as it was where marks stand below it", ({ text }) => {
    const shown = withoutActing(text);
    expect(Array.from(shown)).toHaveLength(Array.from(text).length);
    expect(actingIn(shown.replace(/[\n\t]/g, ""))).toEqual([]);
  });

  it.each(HOSTILE_TEXTS)("$name: JSON that is shown is the same JSON", ({ text }) => {
    const json = JSON.stringify({ [text]: [text] });
    expect(JSON.parse(visible(json))).toEqual(JSON.parse(json));
  });

  it("keys of all kinds stay the keys of the same object", () => {
    const json = `{${HOSTILE_KEYS.map((key) => `${JSON.stringify(key)}:1`).join(",")}}`;
    const shown = visible(json);
    expect(actingIn(shown)).toEqual([]);
    expect(Object.keys(JSON.parse(shown) as object).toSorted()).toEqual(HOSTILE_KEYS.toSorted());
  });
});

test("compareCodePoints orders by code point, not by code unit", () => {
  expect(["😀", "\ufb01", "a", ""].sort(compareCodePoints)).toEqual(["", "a", "\ufb01", "😀"]);
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme" }), (a, b) => {
      const left = Array.from(a, (point) => point.codePointAt(0) ?? 0);
      const right = Array.from(b, (point) => point.codePointAt(0) ?? 0);
      const at = left.findIndex((point, index) => point !== right[index]);
      const first = at === -1 ? left.length - right.length : (left[at] ?? 0) - (right[at] ?? -1);
      expect(Math.sign(compareCodePoints(a, b))).toBe(Math.sign(first));
    }),
  );
});

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
