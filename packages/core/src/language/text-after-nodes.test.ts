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
    "Boat.visits 5",
    "unexpected_text at «5»: 5 cannot follow here. [write one statement per line; only steps as .limit(5), [column], => or a heredoc continue one]",
  ],
  [
    "Boat 5",
    "unexpected_text at «5»: 5 cannot follow here. [write one statement per line; only steps as .limit(5), [column], => or a heredoc continue one]",
  ],
  [
    "Boat(b1) 7",
    "unexpected_text at «7»: 7 cannot follow here. [write one statement per line; only steps as .limit(5), [column], => or a heredoc continue one]",
  ],
  [
    "Boat.limit(5) 3",
    "unexpected_text at «3»: 3 cannot follow here. [write one statement per line; only steps as .limit(5), [column], => or a heredoc continue one]",
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
    "Boat Person",
    "unexpected_text at «Person»: Person cannot follow here. [write one statement per line; only steps as .limit(5), [column], => or a heredoc continue one]",
  ],
  [
    "Boat Person.limit(5)",
    "unexpected_text at «Person»: Person cannot follow here. [write one statement per line; only steps as .limit(5), [column], => or a heredoc continue one] → Boat\nPerson.limit(5)",
  ],
  [
    "Boat Person(x)",
    "unexpected_text at «Person»: Person cannot follow here. [write one statement per line; only steps as .limit(5), [column], => or a heredoc continue one] → Boat\nPerson(x)",
  ],
  [
    "Boat Person[id]",
    "unexpected_text at «Person»: Person cannot follow here. [write one statement per line; only steps as .limit(5), [column], => or a heredoc continue one] → Boat\nPerson[id]",
  ],
  [
    "Boat Person~x",
    "unexpected_text at «Person»: Person cannot follow here. [write one statement per line; only steps as .limit(5), [column], => or a heredoc continue one] → Boat\nPerson~x",
  ],
  [
    "Boat x = Person\nx",
    "unexpected_text at «x»: x cannot follow here. [write one statement per line; only steps as .limit(5), [column], => or a heredoc continue one] → Boat\nx = Person\nx",
  ],
  [
    "Boat x == Person",
    "unexpected_text at «x»: x cannot follow here. [write one statement per line; only steps as .limit(5), [column], => or a heredoc continue one]",
  ],
  [
    "Boat.limit(5) x=Person, x",
    "unexpected_text at «x»: x cannot follow here. [write one statement per line; only steps as .limit(5), [column], => or a heredoc continue one] → Boat.limit(5)\nx=Person, x",
    "unexpected_text at «,»: A binding holds one node. [write one statement per line] → Boat.limit(5) x=Person\nx",
  ],
  [
    "Boat x => {n: 1}",
    "unexpected_text at «x»: x cannot follow here. [write one statement per line; only steps as .limit(5), [column], => or a heredoc continue one] → Boat\nx => {n: 1}",
  ],
  [
    "Boat[id]{state=lost}",
    "unexpected_text at «{»: Braces cannot follow here. [write .filter{…}] → Boat[id].filter{state=lost}",
  ],
  [
    "Boat.sort(name) {state=lost}",
    "unexpected_text at «{»: Braces cannot follow here. [write .filter{…}] → Boat.sort(name).filter{state=lost}",
  ],
  [
    "a{b=1}{c=2}",
    "unexpected_text at «{»: Braces cannot follow here. [write .filter{…}] → a{b=1}.filter{c=2}",
  ],
  [
    "Boat@x",
    "unexpected_text at «@»: @ cannot follow here. [write one statement per line; only steps as .limit(5), [column], => or a heredoc continue one]",
  ],
  [
    "Boat<5",
    "unexpected_text at «<»: < cannot follow here. [write one statement per line; only steps as .limit(5), [column], => or a heredoc continue one]",
  ],
  [
    'Boat "x"',
    'unexpected_text at «"x"»: "x" cannot follow here. [write one statement per line; only steps as .limit(5), [column], => or a heredoc continue one]',
  ],
  [
    "Boat $",
    "unexpected_text at «$»: $ cannot follow here. [write one statement per line; only steps as .limit(5), [column], => or a heredoc continue one]",
  ],
  [
    "Boat ..",
    "syntax at «.»: . cannot stand here. [here may stand a relation, a method or an operator, as in E.limit(5)]",
  ],
  [
    "Boat - x",
    "unexpected_text at «-»: - cannot follow here. [write one statement per line; only steps as .limit(5), [column], => or a heredoc continue one]",
  ],
];

describe("LANG-010, LANG-029: text after a complete node is never ignored", () => {
  it.each(rows)("%j", (program, ...errors) => {
    expect(toldOf(program)).toEqual(errors);
  });
});
