import { describe, expect, it } from "vitest";
import { toldOf, type ToldRow } from "../../test/told.ts";

const rows: readonly ToldRow[] = [
  [
    "Boat{a–b=1}",
    "unexpected_char at «–»: – is no character of the language. [U+2013 may stand only inside quotes: write - in its place] → Boat{a-b=1}",
  ],
  [
    "Boat{a—1}",
    "unexpected_char at «—»: — is no character of the language. [U+2014 may stand only inside quotes: write - in its place] → Boat{a-1}",
  ],
  [
    "Boat{a−1}",
    "unexpected_char at «−»: − is no character of the language. [U+2212 may stand only inside quotes: write - in its place] → Boat{a-1}",
  ],
  [
    "Boat{a‐1}",
    "unexpected_char at «‐»: ‐ is no character of the language. [U+2010 may stand only inside quotes: write - in its place] → Boat{a-1}",
  ],
  [
    "Boat{a‑1}",
    "unexpected_char at «‑»: ‑ is no character of the language. [U+2011 may stand only inside quotes: write - in its place] → Boat{a-1}",
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
    "unexpected_char at «（»: （ is no character of the language. [U+FF08 may stand only inside quotes: write ( in its place] → Boat(x)",
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
    "Boat{a！=1}",
    "unexpected_char at «！»: ！ is no character of the language. [U+FF01 may stand only inside quotes: write ! in its place] → Boat{a!=1}",
  ],
  [
    'Boat（a，"，"）',
    'unexpected_char at «（»: （ is no character of the language. [U+FF08 may stand only inside quotes: write ( in its place] → Boat(a,"，")',
  ],
  [
    "Boat｟",
    'unexpected_char at «｟»: ｟ is no character of the language. [U+FF5F may stand only inside quotes or a heredoc: take it out, or write the text as "…"]',
  ],
  [
    "Boat＀",
    'unexpected_char at «＀»: ＀ is no character of the language. [U+FF00 may stand only inside quotes or a heredoc: take it out, or write the text as "…"]',
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
    "Boat[ø]",
    'unexpected_char at «ø»: ø is no character of the language. [U+00F8 may stand only inside quotes or a heredoc: take it out, or write the text as "…"]',
  ],
];

describe("LANG-002: characters outside the grammar", () => {
  it.each(rows)("%j", (program, ...errors) => {
    expect(toldOf(program)).toEqual(errors);
  });
});
