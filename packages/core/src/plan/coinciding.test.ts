import { describe, expect, test } from "vitest";
import { costsOf, figureText, fullPlan } from "../../test/bill-of.ts";
import { e, quayAndYard } from "../../test/fixture-exposure.ts";

describe("PLAN-020, RUN-023: reads of one stage that may be equal are promised by none", () => {
  test.each<[string, string, readonly string[]]>([
    ["a list, and some of it", "Person.limit(2)\nPerson", ["n1 ≤1 → ≤2", "n2 ≤1 → ?"]],
    ["the same, the other way round", "Person\nPerson.limit(2)", ["n1 ≤1 → ?", "n2 ≤1 → ≤2"]],
    [
      "a list, and one per value",
      "Visit{boat in [b1, b2]}\nVisit{boat=b1}",
      ["n1 ? → ?", "n2 ≤1 → ?"],
    ],
    [
      "a relation, and the list it is followed by",
      'Boat("b1").visits\nVisit{boat=b1}',
      ["n1 ? → ?", "n2 ≤1 → ?"],
    ],
    ["a view, and what it reads", "Digest{boat=b1}\nVisit{boat=b1}", ["n1 ≤10 → ≤1", "n2 ≤1 → ?"]],
    [
      "a get, and one that completes a row",
      'Boat("b1")\nBoat.limit(2)[note]',
      ["n1 ≤1 → 1", "n2 ≤3 → ≤2", "n3 0 → ≤2"],
    ],
    ["other keys", 'Boat("b1")\nBoat("b2")', ["n1 1 → 1", "n2 1 → 1"]],
    ["other arguments", "Boat{state=lost}\nBoat{state=moored}", ["n1 1 → ?", "n2 1 → ?"]],
    ["another capability", 'Boat\nBoat~"x"', ["n1 1 → ?", "n2 1 → ?"]],
    ["what reads on comes after", 'a = Boat("b1")\na => Boat(_.id)', ["n1 1 → 1", "n2 ≤1 → ≤1"]],
  ])("%s", (_, text, costs) => {
    expect(costsOf(text)).toEqual(costs);
  });

  test("a list whose rows are completed promises its pages no more than its requests", () => {
    const { nodes } = fullPlan("a = Boat{exists(built)}\na.page_size(1)\nBoat[meta.berth]").summary
      .bill;
    expect(Object.values(nodes).map(({ pages }) => figureText(pages))).toEqual(["?", "≤1", "none"]);
  });

  test("reads on both sides of an effect on another catalog may be one (RUN-062)", () => {
    const [boats, boat] = [e("yard", "Boat", quayAndYard), e("quay", "Boat", quayAndYard)];
    const text = `${boats}\n${boat}("b1").ping()\n${boats}`;
    expect(costsOf(text, quayAndYard).filter((cost) => cost.includes(" ≤1 →"))).toHaveLength(2);
  });

  test("reads on both sides of an effect are both sent", () => {
    const text = 'Boat("b1")\nBoat("b1").ping()\nBoat{id=b1}';
    expect(costsOf(text).filter((cost) => cost.includes(" 1 →"))).toHaveLength(3);
  });
});

describe("PLAN-020: a list per row", () => {
  test.each<[string, string, readonly string[]]>([
    [
      "its pages are unknown",
      "a = Boat.limit(2)\na => Visit{boat=_.id}",
      ["n1 ≤1 → ≤2", "n2 ? → ?"],
    ],
    [
      "a view gives a row each",
      "a = Boat.limit(2)\na => Digest{boat=_.id}",
      ["n1 ≤1 → ≤2", "n2 ≤20 → ≤2"],
    ],
    ["a get is a request each", "a = Boat.limit(2)\na => Boat(_.id)", ["n1 ≤1 → ≤2", "n2 ≤2 → ≤2"]],
  ])("%s", (_, text, costs) => {
    expect(costsOf(text)).toEqual(costs);
  });

  test.each([
    ["a = Boat.limit(2)\na => Visit{boat=_.id}", "?"],
    ["a = Boat.limit(2)\na => Digest{boat=_.id}", "≤20"],
    ["a = Boat.limit(2)\na => Boat(_.id)", "none"],
  ])("its pages are billed: %s", (text, pages) => {
    expect(figureText(fullPlan(text).summary.bill.nodes["n2"]?.pages)).toBe(pages);
  });
});

test("PLAN-020: a relation that is shown whole, too, is read whole", () => {
  const boats = 'Person("ann").boats';
  expect(costsOf(`${boats}.page_size(3)`)).toEqual(["n1 ≤1 → ≤3"]);
  expect(costsOf(`${boats}.page_size(3)\n${boats}`)).toEqual(["n1 ? → ?"]);
});
