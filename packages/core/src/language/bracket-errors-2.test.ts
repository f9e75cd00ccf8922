import { describe, expect, it } from "vitest";
import { toldOf, type ToldRow } from "../../test/told.ts";

const rows: readonly ToldRow[] = [
  [
    "Boat{a in [x",
    "unclosed_bracket at «»: The [ at 1:11 is not closed. [close the [ at 1:11 with ]]",
  ],
  [
    "Boat{exists(",
    "unclosed_bracket at «»: The ( at 1:12 is not closed. [close the ( at 1:12 with )]",
  ],
  [
    "Boat{exists(a",
    "unclosed_bracket at «»: The ( at 1:12 is not closed. [close the ( at 1:12 with )]",
  ],
  ["Boat{any{", "unclosed_bracket at «»: The { at 1:9 is not closed. [close the { at 1:9 with }]"],
  [
    "Boat{any{a=1",
    "unclosed_bracket at «»: The { at 1:9 is not closed. [close the { at 1:9 with }]",
  ],
  [
    "Boat{any{a=1}",
    "unclosed_bracket at «»: The { at 1:5 is not closed. [close the { at 1:5 with }] → Boat{any{a=1}}",
  ],
  ["Boat{a=[1", "unclosed_bracket at «»: The [ at 1:8 is not closed. [close the [ at 1:8 with ]]"],
  [
    "Boat(a={b: [1",
    "unclosed_bracket at «»: The [ at 1:12 is not closed. [close the [ at 1:12 with ]]",
  ],
  [
    "Boat(a]",
    "unclosed_bracket at «]»: ] does not close the ( at 1:5. [write ), which closes the ( at 1:5, before ]]",
  ],
  [
    "Boat(a}",
    "unclosed_bracket at «}»: } does not close the ( at 1:5. [write ), which closes the ( at 1:5, before }]",
  ],
  [
    "Boat[a)",
    "unclosed_bracket at «)»: ) does not close the [ at 1:5. [write ], which closes the [ at 1:5, before )]",
  ],
  [
    "Boat[a}",
    "unclosed_bracket at «}»: } does not close the [ at 1:5. [write ], which closes the [ at 1:5, before }]",
  ],
  [
    "Boat{a=1)",
    "unclosed_bracket at «)»: ) does not close the { at 1:5. [write }, which closes the { at 1:5, before )]",
  ],
  [
    "Boat{a=1]",
    "unclosed_bracket at «]»: ] does not close the { at 1:5. [write }, which closes the { at 1:5, before ]]",
  ],
  [
    "x = [1)",
    "unclosed_bracket at «)»: ) does not close the [ at 1:5. [write ], which closes the [ at 1:5, before )]",
  ],
  [
    "x = [1}",
    "unclosed_bracket at «}»: } does not close the [ at 1:5. [write ], which closes the [ at 1:5, before }]",
  ],
  [
    "x = {a: 1)",
    "unclosed_bracket at «)»: ) does not close the { at 1:5. [write }, which closes the { at 1:5, before )]",
  ],
  [
    "x = {a: 1]",
    "unclosed_bracket at «]»: ] does not close the { at 1:5. [write }, which closes the { at 1:5, before ]]",
  ],
  [
    "Boat.sort(a]",
    "unclosed_bracket at «]»: ] does not close the ( at 1:10. [write ), which closes the ( at 1:10, before ]]",
  ],
  [
    "Boat{any{a=1)}",
    "unclosed_bracket at «)»: ) does not close the { at 1:9. [write }, which closes the { at 1:9, before )]",
  ],
  [
    "Boat{exists(a}}",
    "unclosed_bracket at «}»: } does not close the ( at 1:12. [write ), which closes the ( at 1:12, before }]",
  ],
  [
    "Boat.f(a=[1, 2)",
    "unclosed_bracket at «)»: ) does not close the [ at 1:10. [write ], which closes the [ at 1:10, before )] → Boat.f(a=[1, 2])",
  ],
  [
    "Boat.f(a={b: 1)",
    "unclosed_bracket at «)»: ) does not close the { at 1:10. [write }, which closes the { at 1:10, before )] → Boat.f(a={b: 1})",
  ],
  [
    "Boat(a))",
    "unclosed_bracket at «)»: ) closes nothing. [leave ) out: no bracket is open at 1:8, so no closer is expected] → Boat(a)",
  ],
  [
    "Boat{a=1}}",
    "unclosed_bracket at «}»: } closes nothing. [leave } out: no bracket is open at 1:10, so no closer is expected] → Boat{a=1}",
  ],
  [
    "Boat[a]]",
    "unclosed_bracket at «]»: ] closes nothing. [leave ] out: no bracket is open at 1:8, so no closer is expected] → Boat[a]",
  ],
  [
    "x = [1]]",
    "unclosed_bracket at «]»: ] closes nothing. [leave ] out: no bracket is open at 1:8, so no closer is expected] → x = [1]",
  ],
  [
    "x = {a: 1}}",
    "unclosed_bracket at «}»: } closes nothing. [leave } out: no bracket is open at 1:11, so no closer is expected] → x = {a: 1}",
  ],
  [
    "Boat)",
    "unclosed_bracket at «)»: ) closes nothing. [leave ) out: no bracket is open at 1:5, so no closer is expected] → Boat",
  ],
  [
    "Boat]",
    "unclosed_bracket at «]»: ] closes nothing. [leave ] out: no bracket is open at 1:5, so no closer is expected] → Boat",
  ],
  [
    "Boat}",
    "unclosed_bracket at «}»: } closes nothing. [leave } out: no bracket is open at 1:5, so no closer is expected] → Boat",
  ],
  [
    ")",
    "unclosed_bracket at «)»: ) closes nothing. [leave ) out: no bracket is open at 1:1, so no closer is expected]",
  ],
];

describe("ERR-004, LANG-005: brackets that do not close, and items that are missing, 2 of 3", () => {
  it.each(rows)("%j", (program, ...errors) => {
    expect(toldOf(program)).toEqual(errors);
  });
});
