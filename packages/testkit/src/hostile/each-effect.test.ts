import { expect, test } from "vitest";
import { eachEffect } from "./each-effect.ts";

test.each([
  ["done prune orchard.Tree 7", ["done prune orchard.Tree 7"]],
  ["done n4[1] update orchard.Tree 15", ["done n4[1] update orchard.Tree 15"]],
  ["2 done left out · all: x", ["2 done left out · all: x"]],
  ["done create orchard.Tree ×2", ["done create orchard.Tree", "done create orchard.Tree"]],
  ["done prune orchard.Tree ×2 7 9", ["done prune orchard.Tree 7", "done prune orchard.Tree 9"]],
  [
    'done prune orchard.Tree ×2 "a, b" "7 ×2"',
    ["done prune orchard.Tree a, b", "done prune orchard.Tree 7 ×2"],
  ],
  ['done prune orchard.Tree "×2 a b"', ["done prune orchard.Tree ×2 a b"]],
  [
    "done cut orchard.Row ×2 plot=n,side=a · bed=2 4",
    ["done cut orchard.Row bed=2,plot=n,side=a", "done cut orchard.Row bed=4,plot=n,side=a"],
  ],
  [
    'done cut orchard.Row ×2 bed,plot=2,n 4,"s t"',
    ["done cut orchard.Row bed=2,plot=n", "done cut orchard.Row bed=4,plot=s t"],
  ],
  [
    "done cut orchard.Row ×2 bed=2,plot=n",
    ["done cut orchard.Row bed=2,plot=n", "done cut orchard.Row bed=2,plot=n"],
  ],
])("%s", (line, lines) => {
  expect(eachEffect(line)).toEqual(lines);
});

test("a line whose count is not that of its keys is none of ours", () => {
  expect(() => eachEffect("done prune orchard.Tree ×3 7 9")).toThrow("3 effects");
});
