import fc from "fast-check";
import { expect, test } from "vitest";
import { changedPart } from "./changed-part.ts";

test.each([
  [
    "a".repeat(100),
    `${"a".repeat(50)}b${"a".repeat(50)}`,
    `…${"a".repeat(48)}…`,
    `…${"a".repeat(24)}b${"a".repeat(24)}…`,
  ],
  ["one two", "one 2", "one two", "one 2"],
  ["", "new", "", "new"],
  [`x${"s".repeat(30)}`, `y${"s".repeat(30)}`, `x${"s".repeat(24)}…`, `y${"s".repeat(24)}…`],
])("LANG-056 %# what differs is shown with what is around it", (before, after, from, to) => {
  expect(changedPart(before, after, 80)).toMatchObject({ before: from, after: to });
});

test("LANG-056 of many changes the first and the last are shown", () => {
  const text = (word: string) => `${word}${" and ".repeat(100)}${word}.`;
  const { before, after } = changedPart(text("old"), text("new"), 40);
  expect(before).toMatch(/^old and .*… \(\+\d+\) ….* and old\.$/);
  expect(after).toMatch(/^new and .*… \(\+\d+\) ….* and new\.$/);
  expect(before.length).toBeLessThan(120);
});

test("LANG-056 whatever changes, no pair of surrogates is torn, and the parts are bounded", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "🚢", "🚣", "b"), maxLength: 120 });
  fc.assert(
    fc.property(text, text, text, text, (head, old, other, tail) => {
      const { before, after } = changedPart(head + old + tail, head + other + tail, 20);
      for (const part of [before, after]) {
        expect(Buffer.from(part).toString()).toBe(part);
        expect(part.length).toBeLessThan(20 + 48 + 40);
      }
      expect(before === after).toBe(old === other);
    }),
  );
});
