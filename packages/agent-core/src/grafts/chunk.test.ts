import fc from "fast-check";
import { expect, it } from "vitest";
import { chunkOf } from "./chunk.ts";

/** A token is four code units. */
const count = (text: string): number => Math.ceil(text.length / 4);

it("chunks fit the budget, make progress and join to the text (GRAFT-11)", () => {
  const texts = fc.string({
    unit: fc.constantFrom("a", " ", "\n", "🍐", "é", "`"),
    maxLength: 3_000,
  });
  fc.assert(
    fc.property(texts, fc.integer({ min: 1, max: 300 }), (text, budget) => {
      const parts: string[] = [];
      let next: number | null = 0;
      while (next !== null) {
        const chunk = chunkOf(text, next, budget, count);
        if (chunk === null) throw new Error(`nothing at ${next}`);
        parts.push(chunk.text);
        expect(count(chunk.text)).toBeLessThanOrEqual(budget);
        expect(chunk.next === null || chunk.next > next).toBe(true);
        expect(chunk.text).not.toMatch(/\p{Surrogate}/u);
        next = chunk.next;
      }
      expect(parts.join("")).toBe(text);
    }),
    { numRuns: 60 },
  );
});

it.each([
  ["", 0, { text: "", next: null }],
  ["", 1, null],
  ["🍐b", 1, { text: "b", next: null }],
  ["🍐b", 2, { text: "", next: null }],
  ["🍐b", 3, null],
])("%j from %i", (text, offset, chunk) => {
  expect(chunkOf(text, offset, 10, count)).toEqual(chunk);
});

it("a budget of nothing still gives a character", () => {
  expect(chunkOf("🍐🍐", 0, 0, count)).toEqual({ text: "🍐", next: 1 });
});
