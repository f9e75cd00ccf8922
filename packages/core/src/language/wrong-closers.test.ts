import { describe, expect, it } from "vitest";
import { toldOf, type ToldRow } from "../../test/told.ts";

const rows: readonly ToldRow[] = [
  [
    "Boat(a]",
    "unclosed_bracket at «]»: ] does not close the ( at 1:5. [write ), which closes the ( at 1:5, in place of ]] → Boat(a)",
  ],
  [
    "Boat[a)",
    "unclosed_bracket at «)»: ) does not close the [ at 1:5. [write ], which closes the [ at 1:5, in place of )] → Boat[a]",
  ],
  [
    "Boat[a}",
    "unclosed_bracket at «}»: } does not close the [ at 1:5. [write ], which closes the [ at 1:5, in place of }] → Boat[a]",
  ],
  [
    "Boat{a=1)",
    "unclosed_bracket at «)»: ) does not close the { at 1:5. [write }, which closes the { at 1:5, in place of )] → Boat{a=1}",
  ],
  [
    "x = [1)",
    "unclosed_bracket at «)»: ) does not close the [ at 1:5. [write ], which closes the [ at 1:5, in place of )] → x = [1]",
  ],
  [
    "x = {a: 1)",
    "unclosed_bracket at «)»: ) does not close the { at 1:5. [write }, which closes the { at 1:5, in place of )] → x = {a: 1}",
  ],
  [
    "Boat.sort(a]",
    "unclosed_bracket at «]»: ] does not close the ( at 1:10. [write ), which closes the ( at 1:10, in place of ]] → Boat.sort(a)",
  ],
  [
    "Boat{any{a=1)}",
    "unclosed_bracket at «)»: ) does not close the { at 1:9. [write }, which closes the { at 1:9, in place of )] → Boat{any{a=1}}",
  ],
  [
    "Boat{exists(a}}",
    "unclosed_bracket at «}»: } does not close the ( at 1:12. [write ), which closes the ( at 1:12, in place of }] → Boat{exists(a)}",
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
    "Boat)",
    "unclosed_bracket at «)»: ) closes nothing. [leave ) out: no bracket is open at 1:5, so no closer is expected] → Boat",
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

describe("ERR-004, errors section 2: closers that close nothing, or another bracket", () => {
  it.each(rows)("%j", (program, ...errors) => {
    expect(toldOf(program)).toEqual(errors);
  });
});
