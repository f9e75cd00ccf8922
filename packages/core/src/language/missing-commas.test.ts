import { describe, expect, it } from "vitest";
import { toldOf, type ToldRow } from "../../test/told.ts";

const rows: readonly ToldRow[] = [
  [
    "Boat{a=1 b=2}",
    "syntax at «»: A comma is missing before b. [write a comma, which means and: a=1, b=2] → Boat{a=1, b=2}",
  ],
  [
    "Boat{a=1\nb=2}",
    "syntax at «»: A comma is missing before b. [write a comma, which means and: a=1, b=2] → Boat{a=1,\nb=2}",
  ],
  [
    "Boat{a=1 b.c=2}",
    "syntax at «»: A comma is missing before b.c. [write a comma, which means and: a=1, b.c=2] → Boat{a=1, b.c=2}",
  ],
  [
    "Boat{a=1 b<2}",
    "syntax at «»: A comma is missing before b. [write a comma, which means and: a=1, b<2] → Boat{a=1, b<2}",
  ],
  [
    "Boat{a=1 b>2}",
    "syntax at «»: A comma is missing before b. [write a comma, which means and: a=1, b>2] → Boat{a=1, b>2}",
  ],
  [
    "Boat{a=1 b~x}",
    "syntax at «»: A comma is missing before b. [write a comma, which means and: a=1, b~x] → Boat{a=1, b~x}",
  ],
  [
    "Boat{a=1 b!=x}",
    "syntax at «»: A comma is missing before b. [write a comma, which means and: a=1, b!=x] → Boat{a=1, b!=x}",
  ],
  [
    "Boat{a=1 b in [x]}",
    "syntax at «»: A comma is missing before b. [write a comma, which means and: a=1, b in [x]] → Boat{a=1, b in [x]}",
  ],
  [
    "Boat{a=1 b not in [x]}",
    "syntax at «»: A comma is missing before b. [write a comma, which means and: a=1, not{b in [x]}] → Boat{a=1, not{b in [x]}}",
  ],
  [
    "Boat{a=1 b is null}",
    "syntax at «»: A comma is missing before b. [write a comma, which means and: a=1, b=null] → Boat{a=1, b=null}",
  ],
  [
    'Boat{a=1 b like "x"}',
    'syntax at «»: A comma is missing before b. [write a comma, which means and: a=1, b~"x"] → Boat{a=1, b~"x"}',
  ],
  [
    "Boat{a=1 any{b=2}}",
    "syntax at «»: A comma is missing before any. [write a comma, which means and: a=1, any{b=2}] → Boat{a=1, any{b=2}}",
  ],
  [
    "Boat{a=1 all {b=2}}",
    "syntax at «»: A comma is missing before all. [write a comma, which means and: a=1, all {b=2}] → Boat{a=1, all {b=2}}",
  ],
  [
    "Boat{a=1 not{b=2}}",
    "syntax at «»: A comma is missing before not. [write a comma, which means and: a=1, not{b=2}] → Boat{a=1, not{b=2}}",
  ],
  [
    "Boat{a=1 exists(b)}",
    "syntax at «»: A comma is missing before exists. [write a comma, which means and: a=1, exists(b)] → Boat{a=1, exists(b)}",
  ],
  [
    "Boat{a=1 not b}",
    "syntax at «»: A comma is missing before not. [write a comma, which means and: a=1, b=false] → Boat{a=1, b=false}",
  ],
  [
    "Boat{exists(a) b=2}",
    "syntax at «»: A comma is missing before b. [write a comma, which means and: exists(a), b=2] → Boat{exists(a), b=2}",
  ],
  [
    "Boat{any{a=1} b=2}",
    "syntax at «»: A comma is missing before b. [write a comma, which means and: any{a=1}, b=2] → Boat{any{a=1}, b=2}",
  ],
  [
    "Boat{a in [x] b=2}",
    "syntax at «»: A comma is missing before b. [write a comma, which means and: a in [x], b=2] → Boat{a in [x], b=2}",
  ],
  [
    'Boat(a="x" b=2)',
    'syntax at «»: A comma is missing before b. [write a comma between them: a="x", b=2] → Boat(a="x", b=2)',
  ],
  [
    'Boat(a="x"\nb=2)',
    'syntax at «»: A comma is missing before b. [write a comma between them: a="x", b=2] → Boat(a="x",\nb=2)',
  ],
  [
    'Boat(a="x" b==2)',
    'syntax at «»: A comma is missing before b==2. [write a comma between them: a="x", b==2]',
  ],
  [
    'Boat(a="x" b=>2)',
    'syntax at «»: A comma is missing before b=>2. [write a comma between them: a="x", b=>2]',
  ],
  [
    'Boat("x" y)',
    'syntax at «»: A comma is missing before y. [write a comma between them: "x", y] → Boat("x", y)',
  ],
  [
    'Boat("x" "y")',
    'syntax at «»: A comma is missing before "y". [write a comma between them: "x", "y"] → Boat("x", "y")',
  ],
  [
    'x = ["a" "b"]',
    'syntax at «»: A comma is missing before "b". [write a comma between them: "a", "b"] → x = ["a", "b"]',
  ],
  [
    "x = [[1] [2]]",
    "syntax at «»: A comma is missing before [2]. [write a comma between them: [1], [2]] → x = [[1], [2]]",
  ],
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
    "Boat{a=1 andb=2}",
    "syntax at «»: A comma is missing before andb. [write a comma, which means and: a=1, andb=2] → Boat{a=1, andb=2}",
  ],
  [
    'Boat(a="x" [1])',
    'syntax at «»: A comma is missing before [1]. [write a comma between them: a="x", [1]] → Boat(a="x", [1])',
  ],
  [
    'Boat{a="x" "y"}',
    'syntax at «"y"»: "y" cannot stand here. [here may stand , or }, as in {p=v, p=v}]',
  ],
];

describe("LANG-007: between items stands a comma", () => {
  it.each(rows)("%j", (program, ...errors) => {
    expect(toldOf(program)).toEqual(errors);
  });
});
