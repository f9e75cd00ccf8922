import { describe, expect, it } from "vitest";
import { toldOf, type ToldRow } from "../../test/told.ts";

const rows: readonly ToldRow[] = [
  [
    "Boat )",
    "unclosed_bracket at «)»: ) closes nothing. [leave ) out: no bracket is open at 1:6, so no closer is expected] → Boat ",
  ],
  [
    "Boat ]",
    "unclosed_bracket at «]»: ] closes nothing. [leave ] out: no bracket is open at 1:6, so no closer is expected] → Boat ",
  ],
  [
    "Boat }",
    "unclosed_bracket at «}»: } closes nothing. [leave } out: no bracket is open at 1:6, so no closer is expected] → Boat ",
  ],
  [
    "Boat !",
    'unexpected_char at «!»: ! is no character of the language. [U+0021 may stand only inside quotes or a heredoc: take it out, or write the text as "…"]',
  ],
  [
    "Boat &",
    'unexpected_char at «&»: & is no character of the language. [U+0026 may stand only inside quotes or a heredoc: take it out, or write the text as "…"]',
  ],
  [
    "Boat |",
    'unexpected_char at «|»: | is no character of the language. [U+007C may stand only inside quotes or a heredoc: take it out, or write the text as "…"]',
  ],
  [
    "Boat ø",
    'unexpected_char at «ø»: ø is no character of the language. [U+00F8 may stand only inside quotes or a heredoc: take it out, or write the text as "…"]',
  ],
  [
    "Boat“",
    'unexpected_char at «“»: “ is no character of the language. [U+201C may stand only inside quotes: write " in its place]',
  ],
  [
    "Boat.limit 5",
    "unexpected_text at «5»: 5 cannot follow here. [write it as a step: .limit(5)] → Boat.limit(5)",
  ],
  [
    "Boat.page_size 20",
    "unexpected_text at «20»: 20 cannot follow here. [write it as a step: .page_size(20)] → Boat.page_size(20)",
  ],
  [
    "Boat. limit 7",
    "unexpected_text at «7»: 7 cannot follow here. [write it as a step: .limit(7)] → Boat. limit(7)",
  ],
  [
    "Boat.limit x",
    "unexpected_text at «x»: x cannot follow here. [write one statement per line; only steps as .limit(5), [id], => or a heredoc continue one]",
  ],
  [
    "Boat.visits 5",
    "unexpected_text at «5»: 5 cannot follow here. [write one statement per line; only steps as .limit(5), [id], => or a heredoc continue one]",
  ],
  [
    "Boat 5",
    "unexpected_text at «5»: 5 cannot follow here. [write one statement per line; only steps as .limit(5), [id], => or a heredoc continue one]",
  ],
  [
    "Boat(b1) 7",
    "unexpected_text at «7»: 7 cannot follow here. [write one statement per line; only steps as .limit(5), [id], => or a heredoc continue one]",
  ],
  [
    "Boat.limit(5) 3",
    "unexpected_text at «3»: 3 cannot follow here. [write one statement per line; only steps as .limit(5), [id], => or a heredoc continue one]",
  ],
  [
    "Boat <<<T",
    "bad_heredoc at «<<<T»: <<<T opens no heredoc. [write <<T, newline, the text, newline, T]",
  ],
  [
    "Boat <<",
    "bad_heredoc at «<<»: << needs a tag right behind it. [write <<TAG, newline, the text, newline, TAG; a TAG is letters, digits and _]",
  ],
  [
    "Boat <<T x\nT",
    "bad_heredoc at «x»: Nothing may follow <<T on its line. [write <<T, newline, the text, newline, T; what follows, a second opener too, stands after that T or on a new line]",
  ],
  [
    "Boat <<T",
    "unterminated_heredoc at «<<T»: No line closes T. [after the text of <<T on line 1 write a line T]",
  ],
  [
    "Boat => {n: _.id} <<T\nx\nT",
    "unexpected_text at «<<»: <<T\nx\nT cannot follow the body of =>. [bind the rows first: found = Boat => {n: _.id}, then found <<T] → found = Boat => {n: _.id}\nfound <<T\nx\nT",
  ],
  [
    "Boat <<T\nx\nT <<U\ny\nU",
    'unterminated_heredoc at «<<T»: No line closes T. [after the text of <<T on line 1 write a line T ; line 3 has "T <<U", which does not close it]',
  ],
  [
    "x = Boat => {n: _.id}\n=> {m: _.n}",
    "unexpected_text at «=>»: => cannot follow the body of =>. [bind the rows first: found = Boat => {n: _.id}, then found => {m: _.n}] → found = Boat => {n: _.id}\nx = found => {m: _.n}",
  ],
  [
    "Boat, Person => {n: _.id}[n]",
    "unexpected_text at «[»: [ cannot follow the body of =>. [bind the rows first: found = Person => {n: _.id}, then found[n]]",
  ],
  [
    'found = 1\nx = "a".limit(5)',
    'unexpected_text at «.»: . cannot follow a literal. [bind the rows first: found_2 = "a", then found_2.limit(5)] → found = 1\nfound_2 = "a"\nx = found_2.limit(5)',
  ],
  [
    "x = 5[id]",
    "unexpected_text at «[»: [ cannot follow a literal. [bind the rows first: found = 5, then found[id]] → found = 5\nx = found[id]",
  ],
  [
    "x = [1].limit(2)",
    "unexpected_text at «.»: . cannot follow a literal. [bind the rows first: found = [1], then found.limit(2)] → found = [1]\nx = found.limit(2)",
  ],
  [
    "x = true.limit(5)",
    "unexpected_text at «.»: . cannot follow a literal. [bind the rows first: found = true, then found.limit(5)] → found = true\nx = found.limit(5)",
  ],
  [
    'x = "a" <<T\ny\nT',
    'unexpected_text at «<<»: <<T\ny\nT cannot follow a literal. [bind the rows first: found = "a", then found <<T] → found = "a"\nx = found <<T\ny\nT',
  ],
  [
    "x = 5 => {n: _.value}",
    "unexpected_text at «=>»: => cannot follow a literal. [bind the rows first: found = 5, then found => {n: _.value}] → found = 5\nx = found => {n: _.value}",
  ],
  [
    "Boat top 5",
    "unexpected_text at «top»: top cannot follow here. [write it as a step: .limit(5)] → Boat.limit(5)",
  ],
];

describe("LANG-010, LANG-071: text after a complete node is never ignored, 1 of 3", () => {
  it.each(rows)("%j", (program, ...errors) => {
    expect(toldOf(program)).toEqual(errors);
  });
});
