import { describe, expect, it } from "vitest";
import { toldOf, type ToldRow } from "../../test/told.ts";

const rows: readonly ToldRow[] = [
  ["x = [+5]", 'bad_literal at «+5»: +5 is no number. [write 5; for text write "+5"] → x = [5]'],
  ["x = [5.]", 'bad_literal at «5.»: 5. is no number. [write 5; for text write "5."] → x = [5]'],
  [
    "x = [.5]",
    'bad_literal at «.5»: .5 is no number. [write 0.5; for text write ".5"] → x = [0.5]',
  ],
  [
    "x = [-.5]",
    'bad_literal at «-.5»: -.5 is no number. [write -0.5; for text write "-.5"] → x = [-0.5]',
  ],
  [
    "x = [+.5e3]",
    'bad_literal at «+.5e3»: +.5e3 is no number. [write 0.5e3; for text write "+.5e3"] → x = [0.5e3]',
  ],
  [
    "x = [5.e3]",
    'bad_literal at «5.e3»: 5.e3 is no number. [write 5e3; for text write "5.e3"] → x = [5e3]',
  ],
  [
    "x = [2026-02-30]",
    'bad_literal at «2026-02-30»: 2026-02-30 is no date. [write an existing date, as 2026-01-31 or 2026-01-31T09:30:00Z; for text write "2026-02-30"]',
  ],
  [
    "x = [2026-1-5]",
    'bad_literal at «2026-1-5»: 2026-1-5 is no date. [write an existing date, as 2026-01-31 or 2026-01-31T09:30:00Z; for text write "2026-1-5"]',
  ],
  [
    "x = [2026-01-31t10:00]",
    'bad_literal at «2026-01-31t10:00»: 2026-01-31t10:00 is no date. [write an existing date, as 2026-01-31 or 2026-01-31T09:30:00Z; for text write "2026-01-31t10:00"]',
  ],
  [
    "x = [2026-13-01]",
    'bad_literal at «2026-13-01»: 2026-13-01 is no date. [write an existing date, as 2026-01-31 or 2026-01-31T09:30:00Z; for text write "2026-13-01"]',
  ],
  [
    "x = [2026-00-01]",
    'bad_literal at «2026-00-01»: 2026-00-01 is no date. [write an existing date, as 2026-01-31 or 2026-01-31T09:30:00Z; for text write "2026-00-01"]',
  ],
  [
    "x = [2026-01-00]",
    'bad_literal at «2026-01-00»: 2026-01-00 is no date. [write an existing date, as 2026-01-31 or 2026-01-31T09:30:00Z; for text write "2026-01-00"]',
  ],
  [
    "x = [2026-04-31]",
    'bad_literal at «2026-04-31»: 2026-04-31 is no date. [write an existing date, as 2026-01-31 or 2026-01-31T09:30:00Z; for text write "2026-04-31"]',
  ],
  [
    "x = [2100-02-29]",
    'bad_literal at «2100-02-29»: 2100-02-29 is no date. [write an existing date, as 2026-01-31 or 2026-01-31T09:30:00Z; for text write "2100-02-29"]',
  ],
  [
    "x = [2026-01-01T24:00]",
    'bad_literal at «2026-01-01T24:00»: 2026-01-01T24:00 is no date. [write an existing date, as 2026-01-31 or 2026-01-31T09:30:00Z; for text write "2026-01-01T24:00"]',
  ],
  [
    "x = [2026-01-01T10:60]",
    'bad_literal at «2026-01-01T10:60»: 2026-01-01T10:60 is no date. [write an existing date, as 2026-01-31 or 2026-01-31T09:30:00Z; for text write "2026-01-01T10:60"]',
  ],
  [
    "x = [2026-01-01T10:00:60]",
    'bad_literal at «2026-01-01T10:00:60»: 2026-01-01T10:00:60 is no date. [write an existing date, as 2026-01-31 or 2026-01-31T09:30:00Z; for text write "2026-01-01T10:00:60"]',
  ],
  [
    "x = [2026-01-01T10:00+24:00]",
    'bad_literal at «2026-01-01T10:00+24:00»: 2026-01-01T10:00+24:00 is no date. [write an existing date, as 2026-01-31 or 2026-01-31T09:30:00Z; for text write "2026-01-01T10:00+24:00"]',
  ],
  [
    "x = [2026-01-01T10:00+01:60]",
    'bad_literal at «2026-01-01T10:00+01:60»: 2026-01-01T10:00+01:60 is no date. [write an existing date, as 2026-01-31 or 2026-01-31T09:30:00Z; for text write "2026-01-01T10:00+01:60"]',
  ],
  [
    "x = [2026-01-01 10:00]",
    'unquoted_text at «2026-01-01 10:00»: A date and its time are one word. [write 2026-01-01T10:00; for text write "2026-01-01 10:00"]',
  ],
  [
    "x = [2026-01-01 25:00]",
    'unquoted_text at «2026-01-01 25:00»: Text with blanks needs quotes. [write "2026-01-01 25:00"] → x = ["2026-01-01 25:00"]',
  ],
  ["x = [4f2a]", 'unquoted_text at «4f2a»: This text needs quotes. [write "4f2a"] → x = ["4f2a"]'],
  ["x = [1e5x]", 'unquoted_text at «1e5x»: This text needs quotes. [write "1e5x"] → x = ["1e5x"]'],
  [
    "x = [don't]",
    'unquoted_text at «don\'t»: This text needs quotes. [write "don\'t"] → x = ["don\'t"]',
  ],
  [
    "x = [a b, c]",
    'unquoted_text at «a b»: Text with blanks needs quotes. [write "a b"] → x = ["a b", c]',
  ],
  [
    "Boat{a=_.b + 1}",
    'unquoted_text at «_.b + 1»: A value is not calculated. [only templates calculate: a <<T, newline, {{ … }}, newline, T; for text write "_.b + 1"]',
  ],
  [
    "Boat{a=1 + 2}",
    'unquoted_text at «1 + 2»: A value is not calculated. [only templates calculate: a <<T, newline, {{ … }}, newline, T; for text write "1 + 2"]',
  ],
  [
    "Boat{a=1*2}",
    'unquoted_text at «1*2»: A value is not calculated. [only templates calculate: a <<T, newline, {{ … }}, newline, T; for text write "1*2"]',
  ],
  [
    "Boat{a=a + b}",
    'unquoted_text at «a + b»: Text with blanks needs quotes. [write "a + b"] → Boat{a="a + b"}',
  ],
  [
    "a = Boat\nPerson{n=a.x + 1}",
    'unquoted_text at «a.x + 1»: A value is not calculated. [only templates calculate: a <<T, newline, {{ … }}, newline, T; for text write "a.x + 1"]',
  ],
  [
    "x = [y for z in w]",
    'unquoted_text at «y for z in w»: Rows are not looped over inside a value. [choose rows with conditions, as Boat{state=lost}; make values of rows with rows => {name: _.name}; for text write "y for z in w"]',
  ],
  [
    "Boat(name: x)",
    "syntax at «:»: A colon stands only between the key and the value of an object. [write name=…] → Boat(name=x)",
  ],
  ['Boat("name"=x)', 'syntax at «"name"»: Names stand without quotes. [write name] → Boat(name=x)'],
  ["Boat(name==x)", "syntax at «==»: == names no argument. [write name=…] → Boat(name=x)"],
  [
    "Boat(name=>x)",
    "syntax at «name=>»: A function is no argument. [choose rows with conditions, rows{length>10}; make new rows with rows => {name: _.name}; call once per row with rows => Boat(_.id).ping()]",
  ],
  [
    "Boat(name>=x)",
    "syntax at «>=»: >= cannot stand here. [here may stand , or ), as in (name=x, owner=ann)]",
  ],
  [
    "Boat(b => b.x)",
    "syntax at «b =>»: A function is no argument. [choose rows with conditions, rows{length>10}; make new rows with rows => {name: _.name}; call once per row with rows => Boat(_.id).ping()]",
  ],
  [
    "Boat(=x)",
    'syntax at «=»: = cannot stand here. [here may stand a value: text in quotes, a number, a date, true, false, null, a word, Name(…), [..] or {..}, as in "text", 12, 2026-01-31 or [a, b]]',
  ],
  [
    "Boat(a=)",
    'syntax at «)»: ) cannot stand here. [here may stand a value: text in quotes, a number, a date, true, false, null, a word, Name(…), [..] or {..}, as in "text", 12, 2026-01-31 or [a, b]]',
  ],
  [
    "Boat(a=,b=1)",
    'syntax at «,»: , cannot stand here. [here may stand a value: text in quotes, a number, a date, true, false, null, a word, Name(…), [..] or {..}, as in "text", 12, 2026-01-31 or [a, b]]',
  ],
  [
    "Boat(a=!)",
    'unexpected_char at «!»: ! is no character of the language. [U+0021 may stand only inside quotes or a heredoc: take it out, or write the text as "…"]',
  ],
  [
    "Boat(a=Person{b=1})",
    "syntax at «Person{b=1}»: A query or step cannot stand inside a value. [bind it on a line above, found = Person{b=1}, and write found here] → found = Person{b=1}\nBoat(a=found)",
  ],
  [
    "Boat(Person~x)",
    "syntax at «Person~x»: A query or step cannot stand inside a value. [bind it on a line above, found = Person~x, and write found here] → found = Person~x\nBoat(found)",
  ],
  [
    "Boat(Person[id])",
    "syntax at «Person[id]»: A query or step cannot stand inside a value. [bind it on a line above, found = Person[id], and write found here] → found = Person[id]\nBoat(found)",
  ],
];

describe("LANG-007, LANG-008, LANG-017: values, 1 of 2", () => {
  it.each(rows)("%j", (program, ...errors) => {
    expect(toldOf(program)).toEqual(errors);
  });
});
