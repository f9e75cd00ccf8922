import { describe, expect, it } from "vitest";
import { toldOf, type ToldRow } from "../../test/told.ts";

const rows: readonly ToldRow[] = [
  [
    '"hello"',
    'syntax at «"hello"»: A statement begins with a name. [bind the literal, found = "hello", and name found on the next line] → found = "hello"\nfound',
  ],
  [
    "{a: 1}",
    "syntax at «{a: 1}»: A statement begins with a name. [bind the literal, found = {a: 1}, and name found on the next line] → found = {a: 1}\nfound",
  ],
  [
    "[1]",
    "syntax at «[1]»: A statement begins with a name. [bind the literal, found = [1], and name found on the next line] → found = [1]\nfound",
  ],
  [
    "5",
    "syntax at «5»: A statement begins with a name. [bind the literal, found = 5, and name found on the next line] → found = 5\nfound",
  ],
  [
    "-5",
    "syntax at «-5»: A statement begins with a name. [bind the literal, found = -5, and name found on the next line] → found = -5\nfound",
  ],
  [
    "$",
    "syntax at «$»: $ cannot stand here. [here may stand a statement: label = rows, or rows, as in a = E{p=v}]",
  ],
  [
    "2026-01-01",
    "syntax at «2026-01-01»: A statement begins with a name. [bind the literal, found = 2026-01-01, and name found on the next line] → found = 2026-01-01\nfound",
  ],
  [
    "550e8400-e29b-41d4-a716-446655440000",
    "syntax at «550e8400-e29b-41d4-a716-446655440000»: A statement begins with a name. [bind the literal, found = 550e8400-e29b-41d4-a716-446655440000, and name found on the next line] → found = 550e8400-e29b-41d4-a716-446655440000\nfound",
  ],
  [
    "5 rows",
    "syntax at «5»: A statement begins with a name. [bind the literal, found = 5, and name found on the next line]",
  ],
  [
    "{a: 1",
    "syntax at «{»: { cannot stand here. [here may stand a statement: label = rows, or rows, as in a = E{p=v}]",
  ],
  [
    "-Boat.limit(5)",
    "syntax at «-»: A statement begins with a name. [write each statement without numbers or marks before it] → Boat.limit(5)",
  ],
  ["$x", "syntax at «$x»: Labels stand without $. [write x in place of $x] → x"],
  [
    "$x = Boat\nx",
    "syntax at «$x»: Labels stand without $. [write x in place of $x] → x = Boat\nx",
  ],
  [
    "${x}.limit(5)",
    "syntax at «${x}»: Labels stand without $. [write x in place of ${x}] → x.limit(5)",
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
];

describe("LANG-010, LANG-047: a literal or a $ where a statement belongs", () => {
  it.each(rows)("%j", (program, ...errors) => {
    expect(toldOf(program)).toEqual(errors);
  });
});
