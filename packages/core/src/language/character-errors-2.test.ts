import { describe, expect, it } from "vitest";
import { toldOf, type ToldRow } from "../../test/told.ts";

const rows: readonly ToldRow[] = [
  [
    "Boat⇒x",
    "unexpected_char at «⇒»: ⇒ is no character of the language. [U+21D2 may stand only inside quotes: write => in its place] → Boat=>x",
  ],
  [
    "Boat → {n: _.id}",
    "unexpected_char at «→»: → is no character of the language. [U+2192 may stand only inside quotes: write => in its place] → Boat => {n: _.id}",
  ],
  [
    'Boat{a≈"x"}',
    'unexpected_char at «≈»: ≈ is no character of the language. [U+2248 may stand only inside quotes: write ~ in its place] → Boat{a~"x"}',
  ],
  [
    "Boat（x）",
    "unexpected_char at «（»: （ is no character of the language. [U+FF08 may stand only inside quotes: write ( in its place]",
  ],
  [
    "Boat｛a=1}",
    "unexpected_char at «｛»: ｛ is no character of the language. [U+FF5B may stand only inside quotes: write { in its place] → Boat{a=1}",
  ],
  [
    "Boat{a＝1}",
    "unexpected_char at «＝»: ＝ is no character of the language. [U+FF1D may stand only inside quotes: write = in its place] → Boat{a=1}",
  ],
  [
    "Boat～x",
    "unexpected_char at «～»: ～ is no character of the language. [U+FF5E may stand only inside quotes: write ~ in its place] → Boat~x",
  ],
  [
    "Boat！",
    "unexpected_char at «！»: ！ is no character of the language. [U+FF01 may stand only inside quotes: write ! in its place]",
  ],
  [
    "Boat｟",
    'unexpected_char at «｟»: ｟ is no character of the language. [U+FF5F may stand only inside quotes or a heredoc: take it out, or write the text as "…"]',
  ],
  [
    "Boat\uff00",
    'unexpected_char at «\uff00»: \uff00 is no character of the language. [U+FF00 may stand only inside quotes or a heredoc: take it out, or write the text as "…"]',
  ],
  [
    "“Boat”",
    'unexpected_char at «“»: “ is no character of the language. [U+201C may stand only inside quotes: write " in its place]',
  ],
  [
    "`Boat`",
    "syntax at «`Boat`»: A program stands by itself, not inside backticks. [send its text alone: Boat] → Boat",
  ],
  [
    "`Boat.limit(5)`",
    "syntax at «`Boat.limit(5)`»: A program stands by itself, not inside backticks. [send its text alone: Boat.limit(5)] → Boat.limit(5)",
  ],
  [
    "‘Boat’",
    "unexpected_char at «‘»: ‘ is no character of the language. [U+2018 may stand only inside quotes: write ' in its place]",
  ],
  [
    "Boat“x”",
    'unexpected_char at «“»: “ is no character of the language. [U+201C may stand only inside quotes: write " in its place]',
  ],
  [
    "Boat«",
    'unexpected_char at ««»: « is no character of the language. [U+00AB may stand only inside quotes: write " in its place]',
  ],
  [
    "Boat°",
    'unexpected_char at «°»: ° is no character of the language. [U+00B0 may stand only inside quotes or a heredoc: take it out, or write the text as "…"]',
  ],
  [
    "Boat^",
    'unexpected_char at «^»: ^ is no character of the language. [U+005E may stand only inside quotes or a heredoc: take it out, or write the text as "…"]',
  ],
  [
    "Boat%",
    'unexpected_char at «%»: % is no character of the language. [U+0025 may stand only inside quotes or a heredoc: take it out, or write the text as "…"]',
  ],
  [
    "Boat*",
    'unexpected_char at «*»: * is no character of the language. [U+002A may stand only inside quotes or a heredoc: take it out, or write the text as "…"]',
  ],
  [
    "Boat?",
    'unexpected_char at «?»: ? is no character of the language. [U+003F may stand only inside quotes or a heredoc: take it out, or write the text as "…"]',
  ],
  [
    "Boat\\",
    'unexpected_char at «\\»: \\ is no character of the language. [U+005C may stand only inside quotes or a heredoc: take it out, or write the text as "…"]',
  ],
  [
    "Boat `",
    "unexpected_char at «`»: ` is no character of the language. [U+0060 may stand only inside quotes: write ' in its place]",
  ],
  [
    "Boat ```",
    "unexpected_char at «```»: A program stands without a fence. [send the program alone, without the lines of ``` (U+0060)]",
  ],
  [
    "Boat{a %}",
    'unexpected_char at «%»: % is no character of the language. [U+0025 may stand only inside quotes or a heredoc: take it out, or write the text as "…"]',
  ],
  [
    "Boat{^}",
    'unexpected_char at «^»: ^ is no character of the language. [U+005E may stand only inside quotes or a heredoc: take it out, or write the text as "…"]',
  ],
  [
    "Boat[ø]",
    'unexpected_char at «ø»: ø is no character of the language. [U+00F8 may stand only inside quotes or a heredoc: take it out, or write the text as "…"]',
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
];

describe("LANG-002: characters outside the grammar, 2 of 3", () => {
  it.each(rows)("%j", (program, ...errors) => {
    expect(toldOf(program)).toEqual(errors);
  });
});
