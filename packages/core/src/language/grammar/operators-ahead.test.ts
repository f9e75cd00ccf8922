import { expect, test } from "vitest";
import { isComparedAt } from "./operators-ahead.ts";

test.each([
  ["login", false],
  ["origin, state", false],
  ["a.margin)", false],
  ["state in [lost]", true],
  ['"lost"in states', true],
  ["length > 3", true],
])(
  "LANG-048: whether %s compares a column: a name that ends so is no operator",
  (text, expected) => {
    expect(isComparedAt(text, 0)).toBe(expected);
  },
);
