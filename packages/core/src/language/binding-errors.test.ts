import { describe, expect, it } from "vitest";
import { toldOf, type ToldRow } from "../../test/told.ts";

const rows: readonly ToldRow[] = [
  ["a == Boat\na", "syntax at «==»: == binds nothing. [write label = rows] → a = Boat\na"],
  ["a := Boat\na", "syntax at «:=»: := binds nothing. [write label = rows] → a = Boat\na"],
  ["a: Boat", "syntax at «:»: : binds nothing. [write label = rows] → a = Boat"],
  ['a: "x"\na', 'syntax at «:»: : binds nothing. [write label = rows] → a = "x"\na'],
  [
    "Boat.visits: x",
    "unexpected_text at «:»: : cannot follow here. [write one statement per line; only steps as .limit(5), [column], => or a heredoc continue one]",
  ],
  [
    "_ = Boat",
    "bad_label at «_»: _ is a word of the language and cannot be a label. [use a free name, as found]",
  ],
  [
    "page = Boat",
    "bad_label at «page»: page is a word of the language and cannot be a label. [use a free name, as page_rows]",
  ],
  [
    "rows = Boat",
    "bad_label at «rows»: rows is a word of the language and cannot be a label. [use a free name, as found]",
  ],
  [
    "e1 = Boat",
    "bad_label at «e1»: e1 has the form of a symbol (e#, m#, p#) and cannot be a label. [use a free name, as e1_rows]",
  ],
  [
    "m2 = Boat\nm2_rows = 1",
    "bad_label at «m2»: m2 has the form of a symbol (e#, m#, p#) and cannot be a label. [use a free name, as m2_rows_2]",
  ],
  [
    "p33 = Boat",
    "bad_label at «p33»: p33 has the form of a symbol (e#, m#, p#) and cannot be a label. [use a free name, as p33_rows]",
  ],
  [
    "Boat, x = 5",
    "unexpected_text at «x»: A binding needs a line of its own. [write one statement per line] → Boat\nx = 5",
  ],
  [
    "x = Boat y",
    "unexpected_text at «y»: y cannot follow here. [write one statement per line; only steps as .limit(5), [column], => or a heredoc continue one]",
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
    "x = Boat, y = Person, y",
    "unexpected_text at «,»: A binding holds one node. [write one statement per line] → x = Boat\ny = Person, y",
    "unexpected_text at «,»: A binding holds one node. [write one statement per line] → x = Boat, y = Person\ny",
  ],
  [
    "x = 5, 6",
    "unexpected_text at «,»: A binding holds one node. [write several values as a list: x = [5, 6]; else one statement per line] → x = [5, 6]",
  ],
  [
    'x = "a", "b" ;; c\nx',
    'unexpected_text at «,»: A binding holds one node. [write several values as a list: x = ["a", "b"]; else one statement per line] → x = ["a", "b"] ;; c\nx',
  ],
  [
    "x = 5, Boat",
    "unexpected_text at «,»: A binding holds one node. [write one statement per line] → x = 5\nBoat",
  ],
  [
    "x = 5, y = 6\ny",
    "unexpected_text at «,»: A binding holds one node. [write one statement per line] → x = 5\ny = 6\ny",
  ],
];

describe("LANG-010, LANG-021: labels and bindings", () => {
  it.each(rows)("%j", (program, ...errors) => {
    expect(toldOf(program)).toEqual(errors);
  });
});
