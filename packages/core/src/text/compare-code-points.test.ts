import fc from "fast-check";
import { expect, test } from "vitest";
import { compareCodePoints } from "./compare-code-points.ts";

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
