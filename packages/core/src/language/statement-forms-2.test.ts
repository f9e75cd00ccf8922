import { describe, expect, it } from "vitest";
import { toldOf, type ToldRow } from "../../test/told.ts";

const rows: readonly ToldRow[] = [
  [
    "5",
    "syntax at «5»: A statement begins with a name. [bind the literal and name it on the next line, as in: found = [1, 2]]",
  ],
  [
    "-5",
    "syntax at «-»: A statement begins with a name. [bind the literal and name it on the next line, as in: found = [1, 2]]",
  ],
  [
    "$",
    "syntax at «$»: A statement begins with a name. [bind the literal and name it on the next line, as in: found = [1, 2]]",
  ],
  [
    "$x",
    "syntax at «$»: A statement begins with a name. [bind the literal and name it on the next line, as in: found = [1, 2]]",
  ],
  [
    "x = $x",
    "syntax at «$x»: $x is no value: $ alone is a placeholder, and labels stand without it. [write the label, as x, or the text in quotes]",
  ],
  [
    "x = ${a.b}",
    "syntax at «${a.b}»: ${a.b} is no value: $ alone is a placeholder, and labels stand without it. [write the label, as a.b, or the text in quotes]",
  ],
  [
    "Boat($a.b)",
    "syntax at «$a.b»: $a.b is no value: $ alone is a placeholder, and labels stand without it. [write the label, as a.b, or the text in quotes]",
  ],
  ["Boat == Person", "syntax at «==»: == binds nothing. [write label = rows] → Boat = Person"],
  ["a := Boat\na", "syntax at «:=»: := binds nothing. [write label = rows] → a = Boat\na"],
  [
    "a: Boat",
    "unexpected_text at «:»: : cannot follow here. [write one statement per line; only steps as .limit(5), [id], => or a heredoc continue one]",
  ],
  [
    "_ = Boat",
    "bad_label at «_»: _ is a word of the language and cannot be a label. [use a free name, as result]",
  ],
  [
    "page = Boat",
    "bad_label at «page»: page is a word of the language and cannot be a label. [use a free name, as page_rows]",
  ],
  [
    "rows = Boat",
    "bad_label at «rows»: rows is a word of the language and cannot be a label. [use a free name, as rows_rows]",
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
    "x =",
    "line_break at «=»: Something must follow = on its line. [write what belongs after = on the same line, as in x = Boat]",
  ],
  [
    "x = \nBoat",
    "line_break at «=»: A statement cannot end with =. [write it on one line: x = Boat] → x = Boat",
  ],
  [
    "x =\ny = Boat",
    "line_break at «=»: Something must follow = on its line. [write what belongs after = on the same line, as in x = Boat]",
  ],
  [
    "x = )",
    "unclosed_bracket at «)»: ) closes nothing. [leave ) out: no bracket is open at 1:5, so no closer is expected]",
  ],
  [
    "x = ,",
    'syntax at «,»: , cannot stand here. [here may stand rows: a label, an entity, Entity(key), Entity{..} or Entity~text; in a binding also a literal, as in a = Boat("b1")]',
  ],
  [
    "x = =",
    'syntax at «=»: = cannot stand here. [here may stand rows: a label, an entity, Entity(key), Entity{..} or Entity~text; in a binding also a literal, as in a = Boat("b1")]',
  ],
  [
    "x = > 1",
    'syntax at «>»: > cannot stand here. [here may stand rows: a label, an entity, Entity(key), Entity{..} or Entity~text; in a binding also a literal, as in a = Boat("b1")]',
  ],
  [
    "x = ~",
    'syntax at «~»: ~ cannot stand here. [here may stand rows: a label, an entity, Entity(key), Entity{..} or Entity~text; in a binding also a literal, as in a = Boat("b1")]',
  ],
  ["x = .a", 'unquoted_text at «.a»: This text needs quotes. [write ".a"] → x = ".a"'],
  [
    "Boat,",
    "line_break at «,»: Something must follow , on its line. [write what belongs after , on the same line, as in a, Boat]",
  ],
  [
    "Boat,\nPerson",
    "line_break at «,»: A statement cannot end with ,. [write it on one line: Boat, Person] → Boat, Person",
  ],
  [
    "Boat, x = 5",
    "unexpected_text at «x»: A binding needs a line of its own. [write one statement per line] → Boat\nx = 5",
  ],
  [
    "Boat,\nx = 5",
    "line_break at «,»: Something must follow , on its line. [write what belongs after , on the same line, as in a, Boat]",
  ],
  ["Boat, 5", "syntax at «5»: 5 cannot stand here. [here may stand rows, as in a, Boat.limit(5)]"],
  [
    "Boat, )",
    "unclosed_bracket at «)»: ) closes nothing. [leave ) out: no bracket is open at 1:7, so no closer is expected]",
  ],
  [
    "Boat,,Person",
    "syntax at «,»: , cannot stand here. [here may stand rows, as in a, Boat.limit(5)]",
  ],
];

describe("LANG-021, ERR-006: statements as other languages write them, 2 of 3", () => {
  it.each(rows)("%j", (program, ...errors) => {
    expect(toldOf(program)).toEqual(errors);
  });
});
