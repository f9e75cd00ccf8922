import { describe, expect, it } from "vitest";
import { toldOf, type ToldRow } from "../../test/told.ts";

const rows: readonly ToldRow[] = [
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
    "x = [y for z in w]",
    'unquoted_text at «y for z in w»: Rows are not looped over inside a value. [choose rows with conditions, as in E{p=v}; make values of rows with =>, as in rows => {k: _.p}; for text write "y for z in w"]',
  ],
  [
    'Boat{a="x" + }',
    'syntax at «}»: } cannot stand here. [here may stand a value: text in quotes, a number, a date, true, false, null, a word, Name(…), [..] or {..}, as in "text", 12, 2026-01-31 or [a, b]]',
  ],
  [
    "x = [a b]",
    'unquoted_text at «a b»: Text with blanks needs quotes. [write "a b"] → x = ["a b"]',
  ],
  [
    "x = [1 2]",
    'unquoted_text at «1 2»: Text with blanks needs quotes. [write "1 2"] → x = ["1 2"]',
  ],
  ["x = 5 y", 'unquoted_text at «5 y»: Text with blanks needs quotes. [write "5 y"] → x = "5 y"'],
];

describe("LANG-007, errors section 2: text that needs quotes, and values that calculate", () => {
  it.each(rows)("%j", (program, ...errors) => {
    expect(toldOf(program)).toEqual(errors);
  });
});
