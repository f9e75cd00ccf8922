import { describe, expect, test } from "vitest";
import { quayExposure } from "../../test/fixture-exposure.ts";
import { errorsOf, planOf } from "../../test/plan-of.ts";
import { store } from "../../test/store-catalog.ts";
import type { Exposure } from "../symbols/exposure.ts";

const found = (text: string, exposure?: Exposure): readonly string[] =>
  errorsOf(text, exposure).map(({ code, span }) => `${code} ${text.slice(span.start, span.end)}`);

describe("C-110: a placeholder is the only mistake of its program, wherever it stands", () => {
  test.each<[string, Exposure?]>([
    ["Boat{length=$}"],
    ["Boat{length=$}.limit(2)"],
    ["Boat{any{length=$, name=x}}"],
    ["Boat{any{name=x, not{length=$}}}"],
    ["Boat{owner in [ann, $]}"],
    ["Boat{state=lost, owner=$}"],
    ["Boat.limit(3).filter{any{length=$, name=x}}"],
    ["Boat{id=$}"],
    ["Boat{id in [b1, $]}"],
    ["Boat{owner.name=$}"],
    ["Boat{owner.name=$, length=3}"],
    ['Boat{owner.name="Ann", length=$}'],
    ["Boat~$"],
    ["Boat($)"],
    ["Boat($).visits"],
    ["Boat($).ping()"],
    ["Visit(boat=b1, day=$)"],
    ["Visit(boat=b1, day=$).boat"],
    ['Boat("b1").visits{fee=$}'],
    ['Boat("b1").visits{any{fee=$, fee=3}}'],
    ['Boat("b1").logs{text=$}'],
    ["Boat.limit(2).papers{id=$}"],
    ["Boat.limit(2) => {n: _.name, m: $}"],
    ["Boat.limit(2) => {n: [_.name, $]}"],
    ["Boat.limit(2) => {n: {a: 1, b: $}}"],
    ["Boat.limit(2) => _.send(to=$)"],
    ["Boat.limit(2) => Visit{boat=_, fee=$}"],
    ["x = [1, $]\nx"],
    ["x = Boat{length=$}\nBoat"],
    ["Crate{shelf=Shelf(aisle=$, no=1)}", store],
    ["Crate.limit(2).filter{shelf=Shelf(aisle=a, no=$)}", store],
    ["Shelf(aisle=$, no=1).paint(colour=red)", store],
    ["Crate.limit(2) => {s: Shelf(aisle=_.label, no=$)}", store],
  ])("%s", (text, exposure = quayExposure) => {
    expect(found(text, exposure)).toEqual(["placeholder $"]);
  });

  test.each([
    ["page($)", "handle", "s0_pg1"],
    ["wait($)", "handle", "s0_o1"],
    ["cancel($)", "handle", "s0_o1"],
    ["page(s0_pg1, limit=$)", "limit", "int"],
  ])("of a continuation, too: %s", (text, slot, sample) => {
    const [error, ...more] = errorsOf(text);
    expect(more).toEqual([]);
    expect(error?.code).toBe("placeholder");
    expect(text.slice(error?.span.start, error?.span.end)).toBe("$");
    expect(error?.message).toMatch(new RegExp(`\\$.*\\b${slot}\\b`));
    expect(error?.correction).toContain(sample);
  });
});

describe("PLAN-002: what no root needs is checked, too", () => {
  test.each<[string, readonly string[]]>([
    ["x = Visit\nBoat", ["capability_unsatisfied Visit"]],
    ["x = Visit\ny = x.limit(3)\nBoat", ["capability_unsatisfied Visit"]],
    [
      "x = Visit\ny = Visit{fee>3}\nBoat",
      ["capability_unsatisfied Visit", "capability_unsatisfied Visit"],
    ],
    ["x = Boat.limit(3).filter{near=a}\nBoat", ["predicate_unsupported near"]],
    ["x = Boat\ny = x.limit(3).filter{near=a}\nx", ["predicate_unsupported near"]],
    ["x = Visit\nx\nx", ["capability_unsatisfied Visit"]],
    ["x = Visit\nx.limit(2), x[day]", ["capability_unsatisfied Visit"]],
  ])("%s", (text, errors) => {
    expect(found(text)).toEqual(errors);
  });

  test("a mistake of what is used is told once, with those of what is not, in order", () => {
    expect(found("a = Visit\nb = a.limit(1)\nBoat.limit(3).filter{near=x}")).toEqual([
      "capability_unsatisfied Visit",
      "predicate_unsupported near",
    ]);
  });

  test("a label that is used by an unused one needs not be readable alone", () => {
    expect(planOf("a = Boat\nb = a{owner=ann}\nPerson").nodes).toHaveLength(1);
    expect(planOf("a = Boat{near=x}\nb = a.limit(3)\nPerson").nodes).toHaveLength(1);
  });

  test("a text that does not parse hides no place of its mistake", () => {
    expect(found("x = Boat limit(5)\nx")).toEqual(["unexpected_text limit"]);
  });
});

describe("PLAN-006: at most 1,000 nodes", () => {
  /** Ten rows, each with as many nodes as said; the first with some more. */
  const program = (each: number, more = 0): string =>
    Array.from(
      { length: 10 },
      (_, at) => `Log(${at})${".sort(id)".repeat(each - 1 + (at === 0 ? more : 0))}`,
    ).join("\n");

  test("a thousand make a plan", () => {
    expect(planOf(program(100)).nodes).toHaveLength(1000);
  });

  test.each([
    ["one more", program(100, 1), "1001"],
    ["far more", program(502), "5020"],
  ])("%s are too large, with how many there are and may be", (_, text, count) => {
    const [error, ...more] = errorsOf(text);
    expect(more).toEqual([]);
    expect(error?.code).toBe("too_large");
    expect(error?.span).toMatchObject({ start: 0, line: 1, column: 1 });
    expect(`${error?.message} ${error?.correction}`).toMatch(/plan\b[^]*1000 nodes/i);
    expect(`${error?.message} ${error?.correction}`).toContain(count);
  });
});

test("a plan is called as its host says; a name is no part of its commit (PLAN-012)", () => {
  const named = planOf("Boat", quayExposure, { name: "plan 7" });
  expect(named.name).toBe("plan 7");
  expect(named.commit).toBe(planOf("Boat").commit);
});
