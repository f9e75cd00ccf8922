import { describe, expect, it } from "vitest";
import { toldOf, type ToldRow } from "../../test/told.ts";

const rows: readonly ToldRow[] = [
  [
    "]",
    "unclosed_bracket at «]»: ] closes nothing. [leave ] out: no bracket is open at 1:1, so no closer is expected]",
  ],
  [
    "}",
    "unclosed_bracket at «}»: } closes nothing. [leave } out: no bracket is open at 1:1, so no closer is expected]",
  ],
  [
    'Boat("b1".limit(5)',
    'unclosed_bracket at «»: The ( at 1:5 is not closed. [close the ( at 1:5 with )] → Boat("b1").limit(5)',
  ],
  [
    "Boat{a=1.limit(5)",
    'unquoted_text at «1.limit(5)»: This text needs quotes. [write "1.limit(5)"] → Boat{a="1.limit(5)"',
    "unclosed_bracket at «»: The { at 1:5 is not closed. [close the { at 1:5 with }] → Boat{a=1.limit(5)}",
  ],
  [
    'Boat{a="x".limit(5)',
    'unclosed_bracket at «»: The { at 1:5 is not closed. [close the { at 1:5 with }] → Boat{a="x"}.limit(5)',
  ],
  [
    "Boat[id.limit(5)",
    "syntax at «(»: ( cannot stand here. [here may stand , or ], as in [id, owner.name]]",
  ],
  [
    "Boat[id => {n: _.id}",
    "unclosed_bracket at «»: The [ at 1:5 is not closed. [close the [ at 1:5 with ]] → Boat[id] => {n: _.id}",
  ],
  [
    'Boat{a="x" => {n: _.id}',
    'unclosed_bracket at «»: The { at 1:5 is not closed. [close the { at 1:5 with }] → Boat{a="x"} => {n: _.id}',
  ],
  [
    "x = [1, 2\ny = 3\nx",
    "unclosed_bracket at «»: The [ at 1:5 is not closed. [close the [ at 1:5 with ]] → x = [1, 2]\ny = 3\nx",
  ],
  [
    "Boat{a=1\nPerson\nx = Boat{\nx",
    "unclosed_bracket at «»: The { at 1:5 is not closed. [close the { at 1:5 with }] → Boat{a=1}\nPerson\nx = Boat{\nx",
    "unclosed_bracket at «»: The { at 3:9 is not closed. [close the { at 3:9 with }]",
  ],
  [
    "Boat(a=1,\n  b=2\nPerson",
    "unclosed_bracket at «»: The ( at 1:5 is not closed. [close the ( at 1:5 with )] → Boat(a=1,\n  b=2)\nPerson",
  ],
  [
    "Boat{a=1,\nb=2\nPerson.limit(0)",
    "unclosed_bracket at «»: The { at 1:5 is not closed. [close the { at 1:5 with }] → Boat{a=1,\nb=2}\nPerson.limit(0)",
    "bad_count at «0»: 0 is no count for .limit(…). [write an integer from 1 to 100000, as .limit(5)]",
  ],
  [
    "Boat{a=(1\nPerson.limit(0)",
    'syntax at «(»: ( cannot stand here. [here may stand a value: text in quotes, a number, a date, true, false, null, a word, Name(…), [..] or {..}, as in "text", 12, 2026-01-31 or [a, b]]',
    "bad_count at «0»: 0 is no count for .limit(…). [write an integer from 1 to 100000, as .limit(5)]",
  ],
  [
    "Boat.f(a=[1,\n 2,\n 3\n]\nPerson.limit(0)",
    "unclosed_bracket at «»: The ( at 1:7 is not closed. [close the ( at 1:7 with )] → Boat.f(a=[1,\n 2,\n 3\n])\nPerson.limit(0)",
    "bad_count at «0»: 0 is no count for .limit(…). [write an integer from 1 to 100000, as .limit(5)]",
  ],
  [
    'Boat.f(\n"x\nPerson.limit(0)',
    'unterminated_string at «"x»: The string has no closing quote on its line. [close it with "; for several lines write \\n, or a heredoc: <<TEXT, newline, the lines, newline, TEXT]',
    "bad_count at «0»: 0 is no count for .limit(…). [write an integer from 1 to 100000, as .limit(5)]",
  ],
  [
    "Boat(,)",
    'syntax at «,»: , cannot stand here. [here may stand a value: text in quotes, a number, a date, true, false, null, a word, Name(…), [..] or {..}, as in "text", 12, 2026-01-31 or [a, b]]',
  ],
  [
    "Boat{,}",
    "syntax at «,»: , cannot stand here. [here may stand a condition: column, operator and value, exists(column), any{..}, all{..} or not{..}, as in {state=lost, length>10}]",
  ],
  [
    "Boat[,]",
    "syntax at «,»: , cannot stand here. [here may stand a column, as in [id, owner.name]]",
  ],
  [
    "x = [,]",
    'syntax at «,»: , cannot stand here. [here may stand a value: text in quotes, a number, a date, true, false, null, a word, Name(…), [..] or {..}, as in "text", 12, 2026-01-31 or [a, b]]',
  ],
  [
    "x = {,}",
    'syntax at «,»: , cannot stand here. [here may stand a key, as in {a: 1, "other key": 2}]',
  ],
  [
    "Boat(a,,b)",
    'syntax at «,»: , cannot stand here. [here may stand a value: text in quotes, a number, a date, true, false, null, a word, Name(…), [..] or {..}, as in "text", 12, 2026-01-31 or [a, b]]',
  ],
  [
    "Boat{a=1,,b=2}",
    "syntax at «,»: , cannot stand here. [here may stand a condition: column, operator and value, exists(column), any{..}, all{..} or not{..}, as in {state=lost, length>10}]",
  ],
  [
    "Boat[a,,b]",
    "syntax at «,»: , cannot stand here. [here may stand a column, as in [id, owner.name]]",
  ],
  [
    "Boat.sort(,)",
    "syntax at «,»: , cannot stand here. [here may stand a column, as in .sort(state, length desc)]",
  ],
  [
    "Boat.aggregate(,)",
    "syntax at «,»: , cannot stand here. [here may stand an aggregate: count, count(x), sum(x), avg(x), min(x) or max(x), as in .aggregate(n=count, total=sum(length))]",
  ],
  [
    "Boat.group_by(,)",
    "syntax at «,»: , cannot stand here. [here may stand a column or an aggregate, as in .group_by(owner, n=count)]",
  ],
  [
    "Boat.distinct(,)",
    "syntax at «,»: , cannot stand here. [here may stand a column, as in [id, owner.name]]",
  ],
  [
    "Boat{any{}}",
    "empty_list at «any{}»: any{} cannot be empty. [write at least one condition, as in any{state=lost}]",
  ],
  [
    "Boat{all{}}",
    "empty_list at «all{}»: all{} cannot be empty. [write at least one condition, as in all{state=lost}]",
  ],
  [
    "Boat{not{}}",
    "empty_list at «not{}»: not{} cannot be empty. [write at least one condition, as in not{state=lost}]",
  ],
  [
    "Boat{any{,}}",
    "syntax at «,»: , cannot stand here. [here may stand a condition: column, operator and value, exists(column), any{..}, all{..} or not{..}, as in {state=lost, length>10}]",
  ],
  [
    "x = {a: 1,, b: 2}",
    'syntax at «,»: , cannot stand here. [here may stand a key, as in {a: 1, "other key": 2}]',
  ],
];

describe("ERR-004, LANG-005: brackets that do not close, and items that are missing, 3 of 3", () => {
  it.each(rows)("%j", (program, ...errors) => {
    expect(toldOf(program)).toEqual(errors);
  });
});
