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
    "Boat{a=‘x, y’, b=1}",
    'unexpected_char at «‘»: ‘ may stand only inside quotes. [U+2018 needs quotes: write "x, y"] → Boat{a="x, y", b=1}',
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
    "Boat{a–b=1}",
    "unexpected_char at «–»: – is no character of the language. [U+2013 may stand only inside quotes: write - in its place]",
  ],
  [
    "Boat{a—1}",
    "unexpected_char at «—»: — is no character of the language. [U+2014 may stand only inside quotes: write - in its place]",
  ],
  [
    "Boat{a−1}",
    "unexpected_char at «−»: − is no character of the language. [U+2212 may stand only inside quotes: write - in its place]",
  ],
  [
    "Boat{a‐1}",
    "unexpected_char at «‐»: ‐ is no character of the language. [U+2010 may stand only inside quotes: write - in its place]",
  ],
  [
    "Boat{a‑1}",
    "unexpected_char at «‑»: ‑ is no character of the language. [U+2011 may stand only inside quotes: write - in its place]",
  ],
  [
    "Boat{a…}",
    "unexpected_char at «…»: … is no character of the language. [U+2026 may stand only inside quotes: write .. in its place]",
  ],
  [
    "Boat{a≠1}",
    "unexpected_char at «≠»: ≠ is no character of the language. [U+2260 may stand only inside quotes: write != in its place] → Boat{a!=1}",
  ],
  [
    "Boat{a≥1}",
    "unexpected_char at «≥»: ≥ is no character of the language. [U+2265 may stand only inside quotes: write >= in its place] → Boat{a>=1}",
  ],
  [
    "Boat{a≤1}",
    "unexpected_char at «≤»: ≤ is no character of the language. [U+2264 may stand only inside quotes: write <= in its place] → Boat{a<=1}",
  ],
  [
    "Boat{a→1}",
    "unexpected_char at «→»: → is no character of the language. [U+2192 may stand only inside quotes: write => in its place]",
  ],
];

describe("LANG-002: characters outside the grammar, 1 of 3", () => {
  it.each(rows)("%j", (program, ...errors) => {
    expect(toldOf(program)).toEqual(errors);
  });
});
