import { describe, expect, it } from "vitest";
import { toldOf, type ToldRow } from "../../test/told.ts";

const rows: readonly ToldRow[] = [
  [
    "Boat\u00a0.limit(5)",
    "unexpected_char at «\u00a0»: U+00A0 is no blank of the language. [U+00A0 may stand only inside quotes: write a plain blank (U+0020) in its place] → Boat .limit(5)",
  ],
  [
    "Boat\u200b",
    "unexpected_char at «\u200b»: U+200B is no blank of the language. [U+200B may stand only inside quotes: take it out] → Boat",
  ],
  [
    "Boat\u2028Person",
    "unexpected_char at «\u2028»: U+2028 ends no line of the language. [U+2028 may stand only inside quotes: write a line end (U+000A) in its place] → Boat\nPerson",
  ],
  [
    "Boat\u2029",
    "unexpected_char at «\u2029»: U+2029 ends no line of the language. [U+2029 may stand only inside quotes: write a line end (U+000A) in its place] → Boat\n",
  ],
  [
    "Boat\u3000{a=1}",
    "unexpected_char at «\u3000»: U+3000 is no blank of the language. [U+3000 may stand only inside quotes: write a plain blank (U+0020) in its place] → Boat {a=1}",
  ],
  [
    "Boat\f\u000b",
    "unexpected_char at «\f\u000b»: U+000C is no blank of the language. [U+000C may stand only inside quotes: write a plain blank (U+0020) in its place] → Boat ",
  ],
  [
    "Boat\u00a0\u00a0[id]",
    "unexpected_char at «\u00a0\u00a0»: U+00A0 is no blank of the language. [U+00A0 may stand only inside quotes: write a plain blank (U+0020) in its place] → Boat [id]",
  ],
  [
    "Boat\u200b\u200c[id]",
    "unexpected_char at «\u200b\u200c»: U+200B is no blank of the language. [U+200B may stand only inside quotes: take it out] → Boat[id]",
  ],
  [
    "Boat\u200b\u00a0[id]",
    "unexpected_char at «\u200b\u00a0»: U+200B is no blank of the language. [U+200B may stand only inside quotes: write a plain blank (U+0020) in its place] → Boat [id]",
  ],
  [
    "Boat\r",
    "unexpected_char at «\r»: U+000D ends no line of the language. [U+000D may stand only inside quotes: write a line end (U+000A) in its place] → Boat\n",
  ],
  [
    "Boat\r.limit(5)",
    "unexpected_char at «\r»: U+000D ends no line of the language. [U+000D may stand only inside quotes: write a line end (U+000A) in its place] → Boat\n.limit(5)",
  ],
  [
    "Boat\u00ad",
    "unexpected_char at «\u00ad»: U+00AD is no blank of the language. [U+00AD may stand only inside quotes: take it out] → Boat",
  ],
  [
    "Boat\u0085",
    "unexpected_char at «\u0085»: U+0085 ends no line of the language. [U+0085 may stand only inside quotes: write a line end (U+000A) in its place] → Boat\n",
  ],
  [
    "Boat{a=1\u00a0}",
    'unexpected_char at «\u00a0»: \u00a0 may stand only inside quotes. [U+00A0 needs quotes: write "1\u00a0"] → Boat{a="1\u00a0"}',
  ],
  [
    "Boat{a=1,\u00a0b=2}",
    "unexpected_char at «\u00a0»: U+00A0 is no blank of the language. [U+00A0 may stand only inside quotes: write a plain blank (U+0020) in its place] → Boat{a=1, b=2}",
  ],
  [
    "Boat\u00a0\r\nPerson.limit(0)",
    "unexpected_char at «\u00a0»: U+00A0 is no blank of the language. [U+00A0 may stand only inside quotes: write a plain blank (U+0020) in its place] → Boat \r\nPerson.limit(0)",
    "bad_count at «0»: 0 is no count for .limit(…). [write an integer from 1 to 100000, as .limit(5)]",
  ],
  [
    "Boat\udb40\udc20",
    "unexpected_char at «\udb40\udc20»: U+E0020 is no blank of the language. [U+E0020 may stand only inside quotes: take it out] → Boat",
  ],
  [
    "Boat\udb40\udc20\udb40\udc21[id]",
    "unexpected_char at «\udb40\udc20\udb40\udc21»: U+E0020 is no blank of the language. [U+E0020 may stand only inside quotes: take it out] → Boat[id]",
  ],
  [
    "\u00a0Boat",
    "unexpected_char at «\u00a0»: U+00A0 is no blank of the language. [U+00A0 may stand only inside quotes: write a plain blank (U+0020) in its place] →  Boat",
  ],
  [
    "Boat\u00a0 \u00a0[id]",
    "unexpected_char at «\u00a0»: U+00A0 is no blank of the language. [U+00A0 may stand only inside quotes: write a plain blank (U+0020) in its place] → Boat  \u00a0[id]",
    "unexpected_char at «\u00a0»: U+00A0 is no blank of the language. [U+00A0 may stand only inside quotes: write a plain blank (U+0020) in its place] → Boat\u00a0  [id]",
  ],
  [
    "Boat\u0000",
    "unexpected_char at «\u0000»: U+0000 may stand nowhere in a program. [take U+0000 out] → Boat",
  ],
  [
    "Boat\u0000\u0000[id]",
    "unexpected_char at «\u0000\u0000»: U+0000 may stand nowhere in a program. [take U+0000 out] → Boat[id]",
  ],
  [
    'Boat{a="x\u0000y"}',
    'unexpected_char at «\u0000»: U+0000 may stand nowhere in a program. [take U+0000 out] → Boat{a="xy"}',
  ],
  [
    'Boat{a="\ud800"}',
    'unexpected_char at «\ud800»: U+D800 may stand nowhere in a program. [take U+D800 out] → Boat{a=""}',
  ],
  [
    'Boat{a="\udc00"}',
    'unexpected_char at «\udc00»: U+DC00 may stand nowhere in a program. [take U+DC00 out] → Boat{a=""}',
  ],
  [
    'Boat{a="\ud800𐐀"}',
    'unexpected_char at «\ud800»: U+D800 may stand nowhere in a program. [take U+D800 out] → Boat{a="𐐀"}',
  ],
  [
    "Boat ;; \udc01",
    "unexpected_char at «\udc01»: U+DC01 may stand nowhere in a program. [take U+DC01 out] → Boat ;; ",
  ],
  [
    "Boat\u2028.limit(5)",
    "unexpected_char at «\u2028»: U+2028 ends no line of the language. [U+2028 may stand only inside quotes: write a line end (U+000A) in its place] → Boat\n.limit(5)",
  ],
  [
    "Boat\rPerson",
    "unexpected_char at «\r»: U+000D ends no line of the language. [U+000D may stand only inside quotes: write a line end (U+000A) in its place] → Boat\nPerson",
  ],
  [
    "Boat{a=1,\u2028b=2}",
    "unexpected_char at «\u2028»: U+2028 ends no line of the language. [U+2028 may stand only inside quotes: write a line end (U+000A) in its place] → Boat{a=1,\nb=2}",
  ],
];

describe("LANG-002: blanks and line ends outside the grammar, and what may stand nowhere", () => {
  it.each(rows)("%j", (program, ...errors) => {
    expect(toldOf(program)).toEqual(errors);
  });
});
