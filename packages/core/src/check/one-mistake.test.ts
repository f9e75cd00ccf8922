import { expect, test } from "vitest";
import { codesOf } from "../../test/plan-of.ts";

test.each([
  ["boats: Boat.limit(3)\nboats", "syntax 1:6"],
  ["b := Boat\nb[id]", "syntax 1:3"],
  ["b == Boat\nb.limit(2)", "syntax 1:3"],
  ["Boat~Al.x(1)", "unquoted_text 1:6"],
  ["Boat.limit(", "unclosed_bracket 1:12"],
  ["Boat.limit(5]", "unclosed_bracket 1:13"],
  ["Boat.limit(5, 6)", "bad_count 1:12"],
  ["Boat\n# all\n.limit(5)", "unexpected_char 2:1"],
  ['Boat{name="x" # y}', "unexpected_char 1:15"],
  ["Boat\u2028Person", "unexpected_char 1:5"],
  ["x = 5, 6\nx", "unexpected_text 1:6"],
  ["Boat{length=1.limit(5)", "unclosed_bracket 1:14"],
])("ERR-005: %j is one mistake", (text, code) => {
  expect(codesOf(text)).toEqual([code]);
});
