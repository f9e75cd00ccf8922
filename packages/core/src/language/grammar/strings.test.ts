import { expect, test } from "vitest";
import { quoteText } from "./strings.ts";

test.each([
  ["plain ø 🚤", '"plain ø 🚤"'],
  ['a "b" \\ c', '"a \\"b\\" \\\\ c"'],
  ["two\nlines\t", '"two\\nlines\\t"'],
  ["b\u202e1\u2066", '"b\\u202e1\\u2066"'],
  ["\u001b[2J", '"\\u001b[2J"'],
])("%j is written %s (LANG-006)", (text, quoted) => {
  expect(quoteText(text)).toBe(quoted);
});
