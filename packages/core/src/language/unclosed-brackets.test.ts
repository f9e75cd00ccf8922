import { describe, expect, it } from "vitest";
import { toldOf, type ToldRow } from "../../test/told.ts";

const rows: readonly ToldRow[] = [
  [
    "Boat(",
    "unclosed_bracket at «»: The ( at 1:5 is not closed. [close the ( at 1:5 with )] → Boat()",
  ],
  [
    "Boat{",
    "unclosed_bracket at «»: The { at 1:5 is not closed. [close the { at 1:5 with }] → Boat{}",
  ],
  ["Boat[", "unclosed_bracket at «»: The [ at 1:5 is not closed. [close the [ at 1:5 with ]]"],
  [
    "Boat.sort(",
    "unclosed_bracket at «»: The ( at 1:10 is not closed. [close the ( at 1:10 with )]",
  ],
  [
    "Boat.sort(a",
    "unclosed_bracket at «»: The ( at 1:10 is not closed. [close the ( at 1:10 with )] → Boat.sort(a)",
  ],
  [
    "Boat.sort(a,",
    "unclosed_bracket at «»: The ( at 1:10 is not closed. [close the ( at 1:10 with )] → Boat.sort(a,)",
  ],
  [
    "Boat.distinct(",
    "unclosed_bracket at «»: The ( at 1:14 is not closed. [close the ( at 1:14 with )] → Boat.distinct()",
  ],
  [
    "Boat.distinct(a",
    "unclosed_bracket at «»: The ( at 1:14 is not closed. [close the ( at 1:14 with )] → Boat.distinct(a)",
  ],
  [
    "Boat.aggregate(",
    "unclosed_bracket at «»: The ( at 1:15 is not closed. [close the ( at 1:15 with )]",
  ],
  [
    "Boat.aggregate(n=",
    "unclosed_bracket at «»: The ( at 1:15 is not closed. [close the ( at 1:15 with )]",
  ],
  [
    "Boat.aggregate(n=count",
    "unclosed_bracket at «»: The ( at 1:15 is not closed. [close the ( at 1:15 with )] → Boat.aggregate(n=count)",
  ],
  [
    "Boat.group_by(",
    "unclosed_bracket at «»: The ( at 1:14 is not closed. [close the ( at 1:14 with )]",
  ],
  [
    "Boat.group_by(a",
    "unclosed_bracket at «»: The ( at 1:14 is not closed. [close the ( at 1:14 with )] → Boat.group_by(a)",
  ],
  [
    "Boat.singleton(",
    "unclosed_bracket at «»: The ( at 1:15 is not closed. [close the ( at 1:15 with )] → Boat.singleton()",
  ],
  [
    "Boat.filter{",
    "unclosed_bracket at «»: The { at 1:12 is not closed. [close the { at 1:12 with }] → Boat.filter{}",
  ],
  [
    "x = [",
    "unclosed_bracket at «»: The [ at 1:5 is not closed. [close the [ at 1:5 with ]] → x = []",
  ],
  [
    "x = {",
    "unclosed_bracket at «»: The { at 1:5 is not closed. [close the { at 1:5 with }] → x = {}",
  ],
  ["x = {a", "unclosed_bracket at «»: The { at 1:5 is not closed. [close the { at 1:5 with }]"],
  ["x = {a:", "unclosed_bracket at «»: The { at 1:5 is not closed. [close the { at 1:5 with }]"],
  [
    "x = {a: 1",
    "unclosed_bracket at «»: The { at 1:5 is not closed. [close the { at 1:5 with }] → x = {a: 1}",
  ],
  [
    "x = [1,",
    "unclosed_bracket at «»: The [ at 1:5 is not closed. [close the [ at 1:5 with ]] → x = [1,]",
  ],
  ["page(", "unclosed_bracket at «»: The ( at 1:5 is not closed. [close the ( at 1:5 with )]"],
  [
    "page(s0_pg1",
    "unclosed_bracket at «»: The ( at 1:5 is not closed. [close the ( at 1:5 with )] → page(s0_pg1)",
  ],
  [
    "page(s0_pg1,",
    "unclosed_bracket at «»: The ( at 1:5 is not closed. [close the ( at 1:5 with )] → page(s0_pg1,)",
  ],
  ["Boat{a", "unclosed_bracket at «»: The { at 1:5 is not closed. [close the { at 1:5 with }]"],
  ["Boat{a=", "unclosed_bracket at «»: The { at 1:5 is not closed. [close the { at 1:5 with }]"],
  [
    "Boat{a=1",
    "unclosed_bracket at «»: The { at 1:5 is not closed. [close the { at 1:5 with }] → Boat{a=1}",
  ],
  [
    "Boat{a=1,",
    "unclosed_bracket at «»: The { at 1:5 is not closed. [close the { at 1:5 with }] → Boat{a=1,}",
  ],
  ["Boat{a in", "unclosed_bracket at «»: The { at 1:5 is not closed. [close the { at 1:5 with }]"],
  [
    "Boat{a in [",
    "unclosed_bracket at «»: The [ at 1:11 is not closed. [close the [ at 1:11 with ], the { at 1:5 with }]",
  ],
  [
    "Boat{a in [x",
    "unclosed_bracket at «»: The [ at 1:11 is not closed. [close the [ at 1:11 with ], the { at 1:5 with }] → Boat{a in [x]}",
  ],
  [
    "Boat{exists(",
    "unclosed_bracket at «»: The ( at 1:12 is not closed. [close the ( at 1:12 with ), the { at 1:5 with }]",
  ],
  [
    "Boat{exists(a",
    "unclosed_bracket at «»: The ( at 1:12 is not closed. [close the ( at 1:12 with ), the { at 1:5 with }] → Boat{exists(a)}",
  ],
  [
    "Boat{any{",
    "unclosed_bracket at «»: The { at 1:9 is not closed. [close the { at 1:9 with }, the { at 1:5 with }]",
  ],
  [
    "Boat{any{a=1",
    "unclosed_bracket at «»: The { at 1:9 is not closed. [close the { at 1:9 with }, the { at 1:5 with }] → Boat{any{a=1}}",
  ],
  [
    "Boat{any{a=1}",
    "unclosed_bracket at «»: The { at 1:5 is not closed. [close the { at 1:5 with }] → Boat{any{a=1}}",
  ],
  [
    "Boat{a=[1",
    "unclosed_bracket at «»: The [ at 1:8 is not closed. [close the [ at 1:8 with ], the { at 1:5 with }] → Boat{a=[1]}",
  ],
  [
    "Boat(a={b: [1",
    "unclosed_bracket at «»: The [ at 1:12 is not closed. [close the [ at 1:12 with ], the { at 1:8 with }, the ( at 1:5 with )] → Boat(a={b: [1]})",
  ],
  [
    'Boat("b1".limit(5)',
    'unclosed_bracket at «»: The ( at 1:5 is not closed. [close the ( at 1:5 with )] → Boat("b1").limit(5)',
  ],
  [
    "Boat{a=1.limit(5)",
    "unclosed_bracket at «»: The { at 1:5 is not closed. [close the { at 1:5 with }] → Boat{a=1}.limit(5)",
  ],
  [
    'Boat{a="x".limit(5)',
    'unclosed_bracket at «»: The { at 1:5 is not closed. [close the { at 1:5 with }] → Boat{a="x"}.limit(5)',
  ],
  [
    "Boat[id.limit(5)",
    "unclosed_bracket at «»: The [ at 1:5 is not closed. [close the [ at 1:5 with ]] → Boat[id].limit(5)",
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
    "unclosed_bracket at «»: The ( at 1:8 is not closed. [close the ( at 1:8 with ), the { at 1:5 with }] → Boat{a=(1)}\nPerson.limit(0)",
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
    "Boat{state=lost.limit(5)",
    "unclosed_bracket at «»: The { at 1:5 is not closed. [close the { at 1:5 with }] → Boat{state=lost}.limit(5)",
  ],
  [
    "Boat.sort(name.limit(5)",
    "unclosed_bracket at «»: The ( at 1:10 is not closed. [close the ( at 1:10 with )] → Boat.sort(name).limit(5)",
  ],
];

describe("ERR-004, errors section 2: brackets that are never closed", () => {
  it.each(rows)("%j", (program, ...errors) => {
    expect(toldOf(program)).toEqual(errors);
  });
});
