import { describe, expect, it } from "vitest";
import { toldOf, type ToldRow } from "../../test/told.ts";

const rows: readonly ToldRow[] = [
  [
    "Boat{a=x“}",
    'unexpected_char at «“»: “ may stand only inside quotes. [U+201C needs quotes: write "x“"] → Boat{a="x“"}',
  ],
  [
    "Boat{a=“x”}",
    'unexpected_char at «“»: “ may stand only inside quotes. [U+201C needs quotes: write "x"] → Boat{a="x"}',
  ],
  [
    "Boat{a=„x‟}",
    'unexpected_char at «„»: „ may stand only inside quotes. [U+201E needs quotes: write "x"] → Boat{a="x"}',
  ],
  [
    "Boat{a=«x»}",
    'unexpected_char at ««»: « may stand only inside quotes. [U+00AB needs quotes: write "x"] → Boat{a="x"}',
  ],
  [
    "Boat{a=″x″}",
    'unexpected_char at «″»: ″ may stand only inside quotes. [U+2033 needs quotes: write "x"] → Boat{a="x"}',
  ],
  [
    "Boat{a=‘x’}",
    'unexpected_char at «‘»: ‘ may stand only inside quotes. [U+2018 needs quotes: write "x"] → Boat{a="x"}',
  ],
  [
    "Boat{a=‚x‛}",
    'unexpected_char at «‚»: ‚ may stand only inside quotes. [U+201A needs quotes: write "x"] → Boat{a="x"}',
  ],
  [
    "Boat{a=′x′}",
    'unexpected_char at «′»: ′ may stand only inside quotes. [U+2032 needs quotes: write "x"] → Boat{a="x"}',
  ],
  [
    "Boat{a=`x`}",
    'unexpected_char at «`»: ` may stand only inside quotes. [U+0060 needs quotes: write "x"] → Boat{a="x"}',
  ],
  [
    "Boat{a=`x}",
    'unexpected_char at «`»: ` may stand only inside quotes. [U+0060 needs quotes: write "`x"] → Boat{a="`x"}',
  ],
  [
    "Boat{a=“x’}",
    'unexpected_char at «“»: “ may stand only inside quotes. [U+201C needs quotes: write "x"] → Boat{a="x"}',
  ],
  [
    "Boat{a=“x, y”, b=1}",
    'unexpected_char at «“»: “ may stand only inside quotes. [U+201C needs quotes: write "x, y"] → Boat{a="x, y", b=1}',
  ],
  [
    "Boat{a=“x\n”}",
    'unexpected_char at «“»: “ may stand only inside quotes. [U+201C needs quotes: write "“x"] → Boat{a="“x"\n”}',
    'unexpected_char at «”»: ” is no character of the language. [U+201D may stand only inside quotes: write " in its place]',
  ],
  [
    "Boat{a=ø}",
    'unexpected_char at «ø»: ø may stand only inside quotes. [U+00F8 needs quotes: write "ø"] → Boat{a="ø"}',
  ],
  [
    "Boat{a=øl, b=1}",
    'unexpected_char at «ø»: ø may stand only inside quotes. [U+00F8 needs quotes: write "øl"] → Boat{a="øl", b=1}',
  ],
  [
    "Boat{a=bøl}",
    'unexpected_char at «ø»: ø may stand only inside quotes. [U+00F8 needs quotes: write "bøl"] → Boat{a="bøl"}',
  ],
  [
    "Boat{a=Jørn Utzon}",
    'unexpected_char at «ø»: ø may stand only inside quotes. [U+00F8 needs quotes: write "Jørn Utzon"] → Boat{a="Jørn Utzon"}',
  ],
  [
    "Boat{a=日本}",
    'unexpected_char at «日»: 日 may stand only inside quotes. [U+65E5 needs quotes: write "日本"] → Boat{a="日本"}',
  ],
  [
    "Boat{a=😀}",
    'unexpected_char at «😀»: 😀 may stand only inside quotes. [U+1F600 needs quotes: write "😀"] → Boat{a="😀"}',
  ],
  [
    "Boat{a=x😀y}",
    'unexpected_char at «😀»: 😀 may stand only inside quotes. [U+1F600 needs quotes: write "x😀y"] → Boat{a="x😀y"}',
  ],
  [
    "Boat{a=x`y`}",
    'unexpected_char at «`»: ` may stand only inside quotes. [U+0060 needs quotes: write "x`y`"] → Boat{a="x`y`"}',
  ],
  [
    "Boat{a=“}",
    'unexpected_char at «“»: “ may stand only inside quotes. [U+201C needs quotes: write "“"] → Boat{a="“"}',
  ],
  [
    "Boat{a=”x}",
    'unexpected_char at «”»: ” may stand only inside quotes. [U+201D needs quotes: write "”x"] → Boat{a="”x"}',
  ],
  [
    "x = ø",
    'unexpected_char at «ø»: ø may stand only inside quotes. [U+00F8 needs quotes: write "ø"] → x = "ø"',
  ],
  [
    "x = “a b”",
    'unexpected_char at «“»: “ may stand only inside quotes. [U+201C needs quotes: write "a b"] → x = "a b"',
  ],
  [
    "x = ø b",
    'unexpected_char at «ø»: ø may stand only inside quotes. [U+00F8 needs quotes: write "ø b"] → x = "ø b"',
  ],
  [
    "x = %",
    'unexpected_char at «%»: % may stand only inside quotes. [U+0025 needs quotes: write "%"] → x = "%"',
  ],
  [
    "Boat~ø",
    'unexpected_char at «ø»: ø may stand only inside quotes. [U+00F8 needs quotes: write "ø"] → Boat~"ø"',
  ],
  [
    "Boat~“a b”",
    'unexpected_char at «“»: “ may stand only inside quotes. [U+201C needs quotes: write "a b"] → Boat~"a b"',
  ],
  [
    "Boat~ø b.limit(5)",
    'unexpected_char at «ø»: ø may stand only inside quotes. [U+00F8 needs quotes: write "ø b"] → Boat~"ø b".limit(5)',
  ],
  [
    "Boat~‘a’{b=1}",
    'unexpected_char at «‘»: ‘ may stand only inside quotes. [U+2018 needs quotes: write "a"] → Boat~"a"{b=1}',
  ],
  [
    "Boat(“x”)",
    'unexpected_char at «“»: “ may stand only inside quotes. [U+201C needs quotes: write "x"] → Boat("x")',
  ],
  [
    "Boat(a=“x”)",
    'unexpected_char at «“»: “ may stand only inside quotes. [U+201C needs quotes: write "x"] → Boat(a="x")',
  ],
  [
    "x = {“a”: 1}",
    'unexpected_char at «“»: “ may stand only inside quotes. [U+201C needs quotes: write "a"] → x = {"a": 1}',
  ],
  [
    "x = {a: “b”}",
    'unexpected_char at «“»: “ may stand only inside quotes. [U+201C needs quotes: write "b"] → x = {a: "b"}',
  ],
  [
    "x = [“a”, “b”]",
    'unexpected_char at «“»: “ may stand only inside quotes. [U+201C needs quotes: write "a"] → x = ["a", “b”]',
    'unexpected_char at «“»: “ may stand only inside quotes. [U+201C needs quotes: write "b"] → x = [“a”, "b"]',
  ],
  [
    "Boat{length>−5}",
    "unexpected_char at «−»: − may stand only inside quotes. [U+2212 is typographic: write -5, or quotes around it for text] → Boat{length>-5}",
  ],
  [
    "Boat{built=2026‑01‑05}",
    "unexpected_char at «‑»: ‑ may stand only inside quotes. [U+2011 is typographic: write 2026-01-05, or quotes around it for text] → Boat{built=2026-01-05}",
  ],
  [
    "Boat{name=a−5}",
    'unexpected_char at «−»: − may stand only inside quotes. [U+2212 needs quotes: write "a−5"] → Boat{name="a−5"}',
  ],
];

describe("LANG-002: text in characters that need quotes", () => {
  it.each(rows)("%j", (program, ...errors) => {
    expect(toldOf(program)).toEqual(errors);
  });
});
