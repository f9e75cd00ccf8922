import { describe, expect, it } from "vitest";
import { toldOf, type ToldRow } from "../../test/told.ts";

const rows: readonly ToldRow[] = [
  [
    "Boat Person(x)",
    "unexpected_text at «Person»: Person cannot follow here. [write one statement per line; only steps as .limit(5), [id], => or a heredoc continue one] → Boat\nPerson(x)",
  ],
  [
    "Boat Person[id]",
    "unexpected_text at «Person»: Person cannot follow here. [write one statement per line; only steps as .limit(5), [id], => or a heredoc continue one] → Boat\nPerson[id]",
  ],
  [
    "Boat Person~x",
    "unexpected_text at «Person»: Person cannot follow here. [write one statement per line; only steps as .limit(5), [id], => or a heredoc continue one] → Boat\nPerson~x",
  ],
  [
    "Boat x = Person\nx",
    "unexpected_text at «x»: x cannot follow here. [write one statement per line; only steps as .limit(5), [id], => or a heredoc continue one] → Boat\nx = Person\nx",
  ],
  [
    "Boat x == Person",
    "unexpected_text at «x»: x cannot follow here. [write one statement per line; only steps as .limit(5), [id], => or a heredoc continue one]",
  ],
  [
    "Boat.limit(5) x=Person, x",
    "unexpected_text at «x»: x cannot follow here. [write one statement per line; only steps as .limit(5), [id], => or a heredoc continue one] → Boat.limit(5)\nx=Person, x",
    "unexpected_text at «,»: A binding holds one node. [write one statement per line] → Boat.limit(5) x=Person\nx",
  ],
  [
    "Boat x => {n: 1}",
    "unexpected_text at «x»: x cannot follow here. [write one statement per line; only steps as .limit(5), [id], => or a heredoc continue one] → Boat\nx => {n: 1}",
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
    "Boat: x",
    "unexpected_text at «:»: : cannot follow here. [write one statement per line; only steps as .limit(5), [id], => or a heredoc continue one]",
  ],
  [
    "Boat@x",
    "unexpected_text at «@»: @ cannot follow here. [write one statement per line; only steps as .limit(5), [id], => or a heredoc continue one]",
  ],
  [
    "Boat/x",
    "unexpected_text at «/»: / cannot follow here. [write one statement per line; only steps as .limit(5), [id], => or a heredoc continue one]",
  ],
  [
    "Boat+1",
    "unexpected_text at «+»: + cannot follow here. [write one statement per line; only steps as .limit(5), [id], => or a heredoc continue one]",
  ],
  [
    "Boat-1",
    "unexpected_text at «-»: - cannot follow here. [write one statement per line; only steps as .limit(5), [id], => or a heredoc continue one]",
  ],
  [
    "Boat<5",
    "unexpected_text at «<»: < cannot follow here. [write one statement per line; only steps as .limit(5), [id], => or a heredoc continue one]",
  ],
  [
    "Boat>=5",
    "unexpected_text at «>=»: >= cannot follow here. [write one statement per line; only steps as .limit(5), [id], => or a heredoc continue one]",
  ],
  [
    "Boat||x",
    "unexpected_text at «||»: || cannot follow here. [write one statement per line; only steps as .limit(5), [id], => or a heredoc continue one]",
  ],
  [
    'Boat "x"',
    'unexpected_text at «"x"»: "x" cannot follow here. [write one statement per line; only steps as .limit(5), [id], => or a heredoc continue one]',
  ],
  [
    "Boat 'x'",
    "unexpected_text at «'x'»: 'x' cannot follow here. [write one statement per line; only steps as .limit(5), [id], => or a heredoc continue one]",
  ],
  [
    "Boat $",
    "unexpected_text at «$»: $ cannot follow here. [write one statement per line; only steps as .limit(5), [id], => or a heredoc continue one]",
  ],
  [
    "Boat ..",
    "syntax at «.»: . cannot stand here. [here may stand a relation, a method or an operator, as in Boat.limit(5)]",
  ],
  [
    "Boat ~",
    'syntax at «»: The statement ends early. [here may stand the text to search for, as in Boat~"Al"]',
  ],
  [
    "Boat ~ x y",
    'unquoted_text at «x y»: Text with blanks needs quotes. [write "x y"] → Boat ~ "x y"',
  ],
  [
    "page(s0_pg1) x",
    "unexpected_text at «x»: x cannot follow here. [write one statement per line; only steps as .limit(5), [id], => or a heredoc continue one]",
  ],
  [
    "x = Boat y",
    "unexpected_text at «y»: y cannot follow here. [write one statement per line; only steps as .limit(5), [id], => or a heredoc continue one]",
  ],
  [
    "x = Boat, Person",
    "unexpected_text at «,»: A binding holds one node. [write one statement per line] → x = Boat\nPerson",
  ],
  [
    "x = Boat,",
    "unexpected_text at «,»: A binding holds one node. [write one statement per line] → x = Boat",
  ],
  [
    "x = Boat,\n",
    "unexpected_text at «,»: A binding holds one node. [write one statement per line] → x = Boat\n",
  ],
  [
    "x = Boat, y = Person, y",
    "unexpected_text at «,»: A binding holds one node. [write one statement per line] → x = Boat\ny = Person, y",
    "unexpected_text at «,»: A binding holds one node. [write one statement per line] → x = Boat, y = Person\ny",
  ],
  ["x = 5 y", 'unquoted_text at «5 y»: Text with blanks needs quotes. [write "5 y"] → x = "5 y"'],
  [
    "x = 5, 6",
    "unexpected_text at «,»: A binding holds one node. [write one statement per line] → x = 5\n6",
    "syntax at «6»: A statement begins with a name. [bind the literal and name it on the next line, as in: found = [1, 2]]",
  ],
];

describe("LANG-010, LANG-071: text after a complete node is never ignored, 3 of 3", () => {
  it.each(rows)("%j", (program, ...errors) => {
    expect(toldOf(program)).toEqual(errors);
  });
});
