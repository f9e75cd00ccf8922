import { describe, expect, it } from "vitest";
import { toldOf, type ToldRow } from "../../test/told.ts";

const rows: readonly ToldRow[] = [
  [
    'Boat{a="x" + "y"}',
    'unquoted_text at «+»: A value is not calculated. [only templates calculate: a <<T, newline, {{ … }}, newline, T; for text write "a=\\"x\\" + \\"y\\""]',
  ],
  [
    'Boat{a="x" * 3}',
    'unquoted_text at «*»: A value is not calculated. [only templates calculate: a <<T, newline, {{ … }}, newline, T; for text write "a=\\"x\\" * 3"]',
  ],
  [
    'Boat{a="x" % 3}',
    'unquoted_text at «%»: A value is not calculated. [only templates calculate: a <<T, newline, {{ … }}, newline, T; for text write "a=\\"x\\" % 3"]',
  ],
  [
    'Boat{a="x" + }',
    "syntax at «+»: + cannot stand here. [here may stand , or }, as in {state=lost, owner=ann}]",
  ],
  [
    "Boat{a=[1] + [2]}",
    "syntax at «+»: + cannot stand here. [here may stand , or }, as in {state=lost, owner=ann}]",
  ],
  [
    'Boat(a="x" + b)',
    'unquoted_text at «+»: A value is not calculated. [only templates calculate: a <<T, newline, {{ … }}, newline, T; for text write "a=\\"x\\" + b"]',
  ],
  [
    'x = ["a" + "b"]',
    'unquoted_text at «+»: A value is not calculated. [only templates calculate: a <<T, newline, {{ … }}, newline, T; for text write "\\"a\\" + \\"b\\""]',
  ],
  [
    'x = {a: "b" + "c"}',
    'unquoted_text at «+»: A value is not calculated. [only templates calculate: a <<T, newline, {{ … }}, newline, T; for text write "a: \\"b\\" + \\"c\\""]',
  ],
  [
    'Boat(a="x" b=2)',
    'syntax at «»: A comma is missing before b. [write a comma between them: a="x", b=2] → Boat(a="x", b=2)',
  ],
  [
    'Boat(a="x" and b=2)',
    'syntax at «and»: and is no operator of the language. [write a comma, which means and: a="x", b=2] → Boat(a="x", b=2)',
  ],
  [
    'Boat(a="x"\nb=2)',
    'syntax at «»: A comma is missing before b. [write a comma between them: a="x", b=2] → Boat(a="x",\nb=2)',
  ],
  [
    'Boat(a="x" b==2)',
    "syntax at «b»: b cannot stand here. [here may stand , or ), as in (name=x, owner=ann)]",
  ],
  [
    'Boat(a="x" b=>2)',
    "syntax at «b»: b cannot stand here. [here may stand , or ), as in (name=x, owner=ann)]",
  ],
  [
    'Boat("x" y)',
    "syntax at «y»: y cannot stand here. [here may stand , or ), as in (name=x, owner=ann)]",
  ],
  [
    'Boat("x" "y")',
    'syntax at «"y"»: "y" cannot stand here. [here may stand , or ), as in (name=x, owner=ann)]',
  ],
  [
    'x = ["a" "b"]',
    'syntax at «"b"»: "b" cannot stand here. [here may stand , or ], as in [a, b]]',
  ],
  [
    "x = [a b]",
    'unquoted_text at «a b»: Text with blanks needs quotes. [write "a b"] → x = ["a b"]',
  ],
  [
    "x = [1 2]",
    'unquoted_text at «1 2»: Text with blanks needs quotes. [write "1 2"] → x = ["1 2"]',
  ],
  ["x = [[1] [2]]", "syntax at «[»: [ cannot stand here. [here may stand , or ], as in [a, b]]"],
  [
    'x = {a: "b" c: 1}',
    'syntax at «»: A comma is missing before c. [write a comma between them: a: "b", c: 1] → x = {a: "b", c: 1}',
  ],
  [
    'x = {a: "b" "c": 1}',
    'syntax at «»: A comma is missing before "c". [write a comma between them: a: "b", "c": 1] → x = {a: "b", "c": 1}',
  ],
  [
    "x = {a: \"b\" 'c': 1}",
    "syntax at «»: A comma is missing before 'c'. [write a comma between them: a: \"b\", 'c': 1] → x = {a: \"b\", 'c': 1}",
  ],
  [
    'x = {a: "b"\nc: 1}',
    'syntax at «»: A comma is missing before c. [write a comma between them: a: "b", c: 1] → x = {a: "b",\nc: 1}',
  ],
  [
    'x = {a: "b" and c: 1}',
    'syntax at «and»: and is no operator of the language. [write a comma, which means and: a: "b", c: 1] → x = {a: "b", c: 1}',
  ],
  [
    'x = {a: "b" c}',
    "syntax at «c»: c cannot stand here. [here may stand , or }, as in {a: 1, b: 2}]",
  ],
  [
    "x = {a: 1 b: 2}",
    "syntax at «»: A comma is missing before b. [write a comma between them: a: 1, b: 2] → x = {a: 1, b: 2}",
  ],
  [
    "x = {a: [1] b: 2}",
    "syntax at «»: A comma is missing before b. [write a comma between them: a: [1], b: 2] → x = {a: [1], b: 2}",
  ],
  [
    "Boat{a=1 and b=2 or c=3}",
    "syntax at «and»: and is no operator of the language. [write a comma, which means and: a=1, b=2 or c=3]",
  ],
  [
    "Boat{a=one and b=two}",
    "syntax at «and»: and is no operator of the language. [write a comma, which means and: a=one, b=two] → Boat{a=one, b=two}",
  ],
  [
    "Boat{a=one or b=two}",
    "syntax at «or»: or is no operator of the language. [write any{…}: any{a=one, b=two}] → Boat{any{a=one, b=two}}",
  ],
  [
    "Boat{a=one b=two}",
    "syntax at «»: A comma is missing before b. [write a comma, which means and: a=one, b=two] → Boat{a=one, b=two}",
  ],
  [
    "Boat{a=one && b=two}",
    "syntax at «&&»: && is no operator of the language. [write a comma, which means and: a=one, b=two] → Boat{a=one, b=two}",
  ],
  [
    "Boat{a=1 and(b=2)}",
    'unquoted_text at «1 and(b=2)»: Text with blanks needs quotes. [write "1 and(b=2)"] → Boat{a="1 and(b=2)"}',
  ],
  [
    "Boat{a=1 andb=2}",
    "syntax at «»: A comma is missing before andb. [write a comma, which means and: a=1, andb=2] → Boat{a=1, andb=2}",
  ],
  [
    "Boat{a=1 and exists(b)}",
    "syntax at «and»: and is no operator of the language. [write a comma, which means and: a=1, exists(b)] → Boat{a=1, exists(b)}",
  ],
  [
    'Boat{a="xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx" and b="yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy"}',
    'syntax at «and»: and is no operator of the language. [write a comma, which means and: a="xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…, b="yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy…] → Boat{a="xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", b="yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy"}',
  ],
  [
    'Boat{a="x" or <"yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy"}',
    'syntax at «or»: or is no operator of the language. [write any{…}: any{a="x", a<"yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy…}] → Boat{any{a="x", a<"yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy"}}',
  ],
];

describe("LANG-007: between items stands a comma, 2 of 2", () => {
  it.each(rows)("%j", (program, ...errors) => {
    expect(toldOf(program)).toEqual(errors);
  });
});
