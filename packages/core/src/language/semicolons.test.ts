import { describe, expect, it } from "vitest";
import { toldOf, type ToldRow } from "../../test/told.ts";

const rows: readonly ToldRow[] = [
  [
    "Boat;",
    "unexpected_char at «;»: A single ; means nothing. [leave ; (U+003B) out: a statement ends with its line, ;; starts a comment] → Boat",
  ],
  [
    "Boat; ",
    "unexpected_char at «;»: A single ; means nothing. [leave ; (U+003B) out: a statement ends with its line, ;; starts a comment] → Boat ",
  ],
  [
    "Boat; Person",
    "unexpected_char at «;»: A single ; means nothing. [write a new line in place of ; (U+003B): one statement per line, ;; starts a comment] → Boat\nPerson",
  ],
  [
    "Boat; x = Person",
    "unexpected_char at «;»: A single ; means nothing. [write a new line in place of ; (U+003B): one statement per line, ;; starts a comment] → Boat\nx = Person",
  ],
  [
    "Boat; all of them",
    "unexpected_char at «;»: A single ; means nothing. [a comment starts with ;; in place of ; (U+003B), a statement with a line of its own] → Boat;; all of them",
  ],
  [
    "Boat ; ;; x",
    "unexpected_char at «;»: A single ; means nothing. [leave ; (U+003B) out: a statement ends with its line, ;; starts a comment] → Boat  ;; x",
  ],
  [
    "Boat; Person;",
    "unexpected_char at «;»: A single ; means nothing. [write a new line in place of ; (U+003B): one statement per line, ;; starts a comment] → Boat\nPerson;",
    "unexpected_char at «;»: A single ; means nothing. [leave ; (U+003B) out: a statement ends with its line, ;; starts a comment] → Boat; Person",
  ],
  [
    "Boat;\nPerson",
    "unexpected_char at «;»: A single ; means nothing. [leave ; (U+003B) out: a statement ends with its line, ;; starts a comment] → Boat\nPerson",
  ],
  [
    "Boat; Person\r\n",
    "unexpected_char at «;»: A single ; means nothing. [write a new line in place of ; (U+003B): one statement per line, ;; starts a comment] → Boat\nPerson\r\n",
  ],
  [
    "Boat; Person~x",
    "unexpected_char at «;»: A single ; means nothing. [write a new line in place of ; (U+003B): one statement per line, ;; starts a comment] → Boat\nPerson~x",
  ],
  [
    "Boat; Person, Visit",
    "unexpected_char at «;»: A single ; means nothing. [write a new line in place of ; (U+003B): one statement per line, ;; starts a comment] → Boat\nPerson, Visit",
  ],
  [
    "Boat{a=1; b=2}",
    "unexpected_char at «;»: A single ; separates nothing. [write a comma in place of ; (U+003B); ;; starts a comment] → Boat{a=1, b=2}",
  ],
  [
    "Boat{a=1;}",
    "unexpected_char at «;»: A single ; separates nothing. [write a comma in place of ; (U+003B); ;; starts a comment] → Boat{a=1,}",
  ],
  [
    "x = 5; x",
    "unexpected_char at «;»: A single ; means nothing. [write a new line in place of ; (U+003B): one statement per line, ;; starts a comment] → x = 5\nx",
  ],
  [
    "x = 5;",
    "unexpected_char at «;»: A single ; means nothing. [leave ; (U+003B) out: a statement ends with its line, ;; starts a comment] → x = 5",
  ],
  [
    "Boat(a; b)",
    'unquoted_text at «a; b»: Text with blanks needs quotes. [write "a; b"] → Boat("a; b")',
  ],
  [
    ";Boat",
    "unexpected_char at «;»: A single ; means nothing. [leave ; (U+003B) out: a statement ends with its line, ;; starts a comment] → Boat",
  ],
  [
    "Boat; Person [id]",
    "unexpected_char at «;»: A single ; means nothing. [write a new line in place of ; (U+003B): one statement per line, ;; starts a comment] → Boat\nPerson [id]",
  ],
  [
    "Boat; (x)",
    "unexpected_char at «;»: A single ; means nothing. [a comment starts with ;; in place of ; (U+003B), a statement with a line of its own] → Boat;; (x)",
  ],
  [
    "Boat;Person{a=1}",
    "unexpected_char at «;»: A single ; means nothing. [write a new line in place of ; (U+003B): one statement per line, ;; starts a comment] → Boat\nPerson{a=1}",
  ],
  [
    "Boat;Person(x)",
    "unexpected_char at «;»: A single ; means nothing. [write a new line in place of ; (U+003B): one statement per line, ;; starts a comment] → Boat\nPerson(x)",
  ],
  [
    'Boat{a="x"; b=2}',
    'unexpected_char at «;»: A single ; separates nothing. [write a comma in place of ; (U+003B); ;; starts a comment] → Boat{a="x", b=2}',
  ],
  [
    'Boat("a"; "b")',
    'unexpected_char at «;»: A single ; separates nothing. [write a comma in place of ; (U+003B); ;; starts a comment] → Boat("a", "b")',
  ],
  [
    "x = [1; 2]",
    'unquoted_text at «1; 2»: Text with blanks needs quotes. [write "1; 2"] → x = ["1; 2"]',
  ],
];

describe("LANG-004: a single semicolon", () => {
  it.each(rows)("%j", (program, ...errors) => {
    expect(toldOf(program)).toEqual(errors);
  });
});
