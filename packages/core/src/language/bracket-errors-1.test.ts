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
    "Boat.filter(",
    "syntax at «filter»: .filter takes braces. [write .filter{…}, as in .filter{state=lost}]",
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
    "unclosed_bracket at «»: The [ at 1:11 is not closed. [close the [ at 1:11 with ]]",
  ],
];

describe("ERR-004, LANG-005: brackets that do not close, and items that are missing, 1 of 3", () => {
  it.each(rows)("%j", (program, ...errors) => {
    expect(toldOf(program)).toEqual(errors);
  });
});
