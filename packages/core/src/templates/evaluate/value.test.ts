import fc from "fast-check";
import { expect, test } from "vitest";
import { characterAt, characterCount } from "./value.ts";

test("characters are counted and found as an array of code points has them", () => {
  const unit = fc.constantFrom("a", "é", "👋", "\ud83d", "\udc4b", "\uffff");
  fc.assert(
    fc.property(
      fc.array(unit, { maxLength: 8 }),
      fc.integer({ min: -10, max: 10 }),
      (units, number) => {
        const text = units.join("");
        expect(characterCount(text)).toBe(Array.from(text).length);
        expect(characterAt(text, number)).toBe(Array.from(text).at(number));
      },
    ),
  );
});
