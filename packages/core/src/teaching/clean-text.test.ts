import fc from "fast-check";
import { expect, test } from "vitest";
import { wellFormedText } from "../../test/arbitrary-text.ts";
import { cleanText, noteText } from "./clean-text.ts";

test.each([
  ["one tree", 100, "one tree"],
  ["  one \t\r\n  tree ", 100, "one tree"],
  ["a\u0000b\u001bc", 100, "abc"],
  ["left\u202eright\u2066\u2069", 100, "leftright"],
  ["zero\u200bwidth\ufeff\u200d", 100, "zerowidth"],
  ["non\u00a0breaking", 100, "non breaking"],
  ["next\u0085line", 100, "next line"],
  ["picked\ufe0f\u{e0101}\u{e0041} here", 100, "picked here"],
  ["```tsv", 100, "'''tsv"],
  ["a `b` ````", 100, "a `b` ''''"],
  ["the old wall", 12, "the old wall"],
  ["the old walls", 12, "the old…"],
  ["the old wall and", 13, "the old wall…"],
  ["unbreakable", 6, "unbre…"],
  ["😀😀😀😀", 3, "😀😀…"],
])("cleanText(%j, %i) (TEACH-13)", (text, limit, expected) => {
  expect(cleanText(text, limit)).toBe(expected);
});

test.each([
  ["Tree id", "tree_id", ""],
  ["Mark lost.", "mark-lost", ""],
  ["an id", "id", "an id"],
  ["", "id", ""],
])(
  "noteText(%j, %s): text that only repeats the name is left out (TEACH-13)",
  (text, name, note) => {
    expect(noteText(text, name, 80)).toBe(note);
  },
);

test("any text becomes one line of at most the limit, without blanks at its ends (TEACH-12, TEACH-13)", () => {
  fc.assert(
    fc.property(wellFormedText(), fc.integer({ min: 4, max: 60 }), (text, limit) => {
      const clean = cleanText(text, limit);
      expect(Array.from(clean).length).toBeLessThanOrEqual(limit);
      expect(clean).toBe(clean.trim());
      expect(clean).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|`{3}| {2}/u);
      expect(cleanText(clean, limit)).toBe(clean);
    }),
  );
});
