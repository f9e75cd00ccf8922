import { describe, expect, it } from "vitest";
import { toldOf, type ToldRow } from "../../test/told.ts";

const rows: readonly ToldRow[] = [
  [
    "Boat(name: x)",
    "syntax at «:»: A colon stands only between the key and the value of an object. [write name=…] → Boat(name=x)",
  ],
  ['Boat("name"=x)', 'syntax at «"name"»: Names stand without quotes. [write name] → Boat(name=x)'],
  ["Boat(name==x)", "syntax at «==»: == names no argument. [write name=…] → Boat(name=x)"],
  [
    "Boat(name=>x)",
    "syntax at «name=>»: A function is not an argument. [choose rows with conditions, as in E{p=v}; make new rows with =>, as in rows => {k: _.p}; call a method once per row, as in rows => E(_.p).m()]",
  ],
  [
    "Boat(name>=x)",
    "syntax at «>=»: >= compares nothing in parentheses. [conditions stand in braces: {name>=x}; in parentheses stand keys and arguments, as in (p=v, p=v)] → Boat{name>=x}",
  ],
  [
    "Boat(b => b.x)",
    "syntax at «b =>»: A function is not an argument. [choose rows with conditions, as in E{p=v}; make new rows with =>, as in rows => {k: _.p}; call a method once per row, as in rows => E(_.p).m()]",
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
    "Boat(length>10)",
    "syntax at «>»: > compares nothing in parentheses. [conditions stand in braces: {length>10}; in parentheses stand keys and arguments, as in (p=v, p=v)] → Boat{length>10}",
  ],
  [
    "Boat(state!=lost, b=1)",
    "syntax at «!=»: != compares nothing in parentheses. [conditions stand in braces: {state!=lost}; in parentheses stand keys and arguments, as in (p=v, p=v)] → Boat{state!=lost, b=1}",
  ],
  [
    "Boat(name<x",
    "syntax at «<»: < compares nothing in parentheses. [conditions stand in braces: {name<x}; in parentheses stand keys and arguments, as in (p=v, p=v)]",
  ],
  [
    "Boat.create(name>=x)",
    "syntax at «>=»: >= compares nothing in parentheses. [conditions stand in braces: {name>=x}; in parentheses stand keys and arguments, as in (p=v, p=v)]",
  ],
  [
    'Boat(a="x" and b=2)',
    'syntax at «and»: and is no operator of the language. [write a comma, which means and: a="x", b=2] → Boat(a="x", b=2)',
  ],
  [
    'Boat(a="x" or b=2)',
    "syntax at «or»: or joins no arguments. [arguments stand side by side, as in (p=v, p=v); only conditions can be alternatives, as in E{any{p=v, p=v}}]",
  ],
  [
    "Boat(a=x or b=2)",
    "syntax at «or»: or joins no arguments. [arguments stand side by side, as in (p=v, p=v); only conditions can be alternatives, as in E{any{p=v, p=v}}]",
  ],
  [
    "Boat.create(a=1 || b=2)",
    "syntax at «||»: || joins no arguments. [arguments stand side by side, as in (p=v, p=v); only conditions can be alternatives, as in E{any{p=v, p=v}}]",
  ],
  [
    'Boat("b1").update(name: "x", state: lost)',
    'syntax at «:»: A colon stands only between the key and the value of an object. [write name=…] → Boat("b1").update(name="x", state=lost)',
  ],
  [
    "Boat.where(state == lost and length > 5)",
    "syntax at «==»: == compares nothing in parentheses. [conditions stand in braces: write .filter{state=lost, length > 5}] → Boat.filter{state=lost, length > 5}",
  ],
  [
    "Boat.where(length > 5)",
    "syntax at «>»: > compares nothing in parentheses. [conditions stand in braces: write .filter{length > 5}] → Boat.filter{length > 5}",
  ],
  [
    "Boat.find(state != lost",
    "syntax at «!=»: != compares nothing in parentheses. [conditions stand in braces: {state != lost}; in parentheses stand keys and arguments, as in (p=v, p=v)]",
  ],
  [
    "Boat.filter(state == lost && length > 5)",
    "syntax at «filter»: .filter takes braces. [write .filter{state=lost, length > 5}] → Boat.filter{state=lost, length > 5}",
  ],
];

describe("LANG-007, errors section 2: arguments as other languages write them", () => {
  it.each(rows)("%j", (program, ...errors) => {
    expect(toldOf(program)).toEqual(errors);
  });
});
