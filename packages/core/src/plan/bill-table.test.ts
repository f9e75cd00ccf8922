import { describe, expect, test } from "vitest";
import { costsOf, figureText, fullPlan } from "../../test/bill-of.ts";
import { store } from "../../test/store-catalog.ts";

describe("PLAN-020: requests and rows of reads", () => {
  test.each<[string, string, readonly string[]]>([
    ["a get", 'Boat("b1")', ["n1 1 → 1"]],
    ["a get that may find none", "Boat{id=b1}", ["n1 1 → ≤1"]],
    ["a get per key", "Boat{id in [b1, b2, b3]}", ["n1 ≤3 → ≤3"]],
    [
      "a get per cell of rows",
      "a = Boat.limit(4)\nPerson{login in a.owner}",
      ["n1 ≤1 → ≤4", "n2 ≤4 → ≤4"],
    ],
    [
      "a get per cell of unknown rows",
      "a = Boat\nPerson{login in a.owner}",
      ["n1 ? → ?", "n2 ? → ?"],
    ],
    ["a paged list as it is", "Boat", ["n1 1 → ?"]],
    ["projected", "Boat[id]", ["n1 1 → ?", "n2 0 → ?"]],
    ["two pages under a limit", "Boat.limit(40)", ["n1 ≤2 → ≤40"]],
    ["three for one row more", "Boat.limit(41)", ["n1 ≤3 → ≤41"]],
    [
      "a limit behind a projection",
      "Boat[id].limit(45)",
      ["n1 ≤3 → ≤45", "n2 0 → ≤45", "n3 0 → ≤45"],
    ],
    ["a page size", "Boat.page_size(50)", ["n1 ≤3 → ≤50"]],
    ["a local condition", "Boat{length>3}", ["n1 ? → ?"]],
    ["a limit behind one", "Boat{length>3}.limit(5)", ["n1 ? → ≤5"]],
    ["one behind a limit", "Boat.limit(5).filter{length>3}", ["n1 ≤1 → ≤5", "n2 0 → ≤5"]],
    ["singleton", "Boat.singleton()", ["n1 ≤1 → ≤2", "n2 0 → 1"]],
    [
      "singleton of a limit",
      "Boat.limit(5).singleton()[id]",
      ["n1 ≤1 → ≤5", "n2 0 → 1", "n3 0 → 1"],
    ],
    [
      "the most that is wanted of it",
      "a = Boat\na.limit(30), a.limit(50)",
      ["n1 ≤3 → ≤50", "n2 0 → ≤30", "n3 0 → ≤50"],
    ],
    [
      "in whatever order",
      "a = Boat\na.limit(50), a.limit(30)",
      ["n1 ≤3 → ≤50", "n2 0 → ≤50", "n3 0 → ≤30"],
    ],
    [
      "all, if one wants all",
      "a = Boat\na.limit(30), a.sort(name)",
      ["n1 ? → ?", "n2 0 → ≤30", "n3 0 → ?"],
    ],
    [
      "a limit and a tested one",
      "a = Boat\na.limit(30), a.filter{length>3}.limit(2)",
      ["n1 ? → ?", "n2 0 → ≤30", "n3 0 → ?", "n4 0 → ≤2"],
    ],
    ["a search", 'Boat~"Al".limit(21)', ["n1 ≤2 → ≤21"]],
    ["a list per value", "Boat{owner in [ann, bob]}", ["n1 ? → ?"]],
    ["a list per value, limited", "Boat{owner in [ann, bob]}.limit(30)", ["n1 ≤4 → ≤30"]],
    [
      "a list per cell",
      "a = Person.limit(3)\nBoat{owner in a.login}.limit(30)",
      ["n1 ≤1 → ≤3", "n2 ≤6 → ≤30"],
    ],
    [
      "no more list per value that is tested only",
      'a = Person.limit(3)\nBoat~"x"{owner in a.login}.limit(3)',
      ["n1 ≤1 → ≤3", "n2 ? → ≤3"],
    ],
  ])("%s: %s", (_, text, costs) => {
    expect(costsOf(text)).toEqual(costs);
  });
});

describe("PLAN-020: requests and rows of what follows", () => {
  test.each<[string, string, readonly string[]]>([
    ["rows in hand", 'Boat("b1").logs', ["n1 1 → 1", "n2 0 → ?"]],
    ["rows in hand, limited", 'Boat("b1").logs.limit(3)', ["n1 1 → 1", "n2 0 → ≤3"]],
    ["to-one", "Boat.limit(5).owner", ["n1 ≤1 → ≤5", "n2 ≤5 → ≤5"]],
    ["to-one, limited", "Boat.limit(5).owner.limit(2)", ["n1 ≤1 → ≤5", "n2 ≤5 → ≤2"]],
    ["to-one of one row", 'b = Boat("b1")\nb.owner', ["n1 1 → 1", "n2 ≤1 → ≤1"]],
    ["to-one of unknown rows", "Boat.owner", ["n1 ? → ?", "n2 ? → ?"]],
    ["a get per row by bindings", "Boat.limit(4).twin", ["n1 ≤1 → ≤4", "n2 ≤4 → ≤4"]],
    ["a list per row", "Boat.limit(3).visits", ["n1 ≤1 → ≤3", "n2 ? → ?"]],
    ["a list per row, limited", "Boat.limit(3).visits.limit(30)", ["n1 ≤1 → ≤3", "n2 ≤6 → ≤30"]],
    ["a list of one row", 'Boat("b1").visits', ["n1 ? → ?"]],
    ["a list of one row, limited", 'Boat("b1").visits.limit(30)', ["n1 ≤2 → ≤30"]],
    ["a join", "Boat.limit(5)[name, owner.name]", ["n1 ≤1 → ≤5", "n2 ≤5 → ≤5", "n3 0 → ≤5"]],
    ["a join of unknown rows", "Boat[owner.name]", ["n1 1 → ?", "n2 ? → ?", "n3 0 → ?"]],
    ["sort", "Boat.limit(5).sort(name)", ["n1 ≤1 → ≤5", "n2 0 → ≤5"]],
    ["sort of one row", 'Boat("b1").sort(name)', ["n1 1 → 1", "n2 0 → 1"]],
    ["columns of one row", 'Boat("b1")[name]', ["n1 1 → 1", "n2 0 → 1"]],
    ["a condition on one row", 'Boat("b1").filter{length>3}', ["n1 1 → 1", "n2 0 → ≤1"]],
    ["distinct", "Boat.limit(5).distinct(owner)", ["n1 ≤1 → ≤5", "n2 0 → ≤5"]],
    ["group_by", "Boat.limit(5).group_by(owner, n=count)", ["n1 ≤1 → ≤5", "n2 0 → ≤5"]],
    ["aggregate", "Boat.limit(5).aggregate(n=count)", ["n1 ≤1 → ≤5", "n2 0 → 1"]],
    ["derived rows", "Boat.limit(3) => {n: _.name}", ["n1 ≤1 → ≤3", "n2 0 → ≤3"]],
    ["derived rows of one", 'b = Boat("b1")\nb => {n: _.name}', ["n1 1 → 1", "n2 0 → 1"]],
    ["an object", "x = {a: 1}\nx", ["n1 0 → 1"]],
    ["a list of values", "x = [1, 2, 3]\nx", ["n1 0 → 3"]],
    ["a list with a cell in it", 'b = Boat("b1")\nx = [1, b.name]\nx', ["n1 1 → 1", "n2 0 → 2"]],
    [
      "an object with a cell in it",
      'b = Boat("b1")\nx = {a: 1, b: b.name}\nx',
      ["n1 1 → 1", "n2 0 → 1"],
    ],
    ["gets per value", 'x = ["b1", "b2"]\nx => Boat(_.value)', ["n1 0 → 2", "n2 ≤2 → ≤2"]],
    [
      "gets per row",
      "a = Boat.limit(2)\na => Visit(boat=_, day=_.built)",
      ["n1 ≤1 → ≤2", "n2 ≤2 → ≤2"],
    ],
    ["effects of one row", 'Boat("b1").ping()', ["n1 1 → 1"]],
    ["effects per row", "Boat.limit(5) => _.ping()", ["n1 ≤1 → ≤5", "n2 ≤5 → ≤5"]],
    ["a view per value: a row each", "Digest{boat in [a, b, c]}", ["n1 ≤30 → ≤3"]],
    ["a view per value, limited", "Digest{boat in [a, b, c]}.limit(2)", ["n1 ≤30 → ≤2"]],
    ["a list per value that only the API tests", "Boat{near in [x, y]}.limit(60)", ["n1 ≤6 → ≤60"]],
    [
      "a list per value of rows",
      "p = Person.limit(3)\nBoat{near in p.login}",
      ["n1 ≤1 → ≤3", "n2 ? → ?"],
    ],
    ["a view of a get and a list", "Stats{boat=b1}", ["n1 ≤11 → ≤1"]],
    ["a limit above them", "Digest{boat in [a, b, c]}.limit(9)", ["n1 ≤30 → ≤3"]],
    ["rows of a view in hand", 'Digest("b1").visits[fee]', ["n1 ≤10 → 1", "n2 0 → ?", "n3 0 → ?"]],
  ])("%s: %s", (_, text, costs) => {
    expect(costsOf(text)).toEqual(costs);
  });
});

describe("PLAN-020: the store", () => {
  test.each<[string, string, readonly string[]]>([
    ["a get with auxiliary_merge", "Crate(c)", ["n1 2 → 1"]],
    ["hydration by such gets", "Crate.limit(2)[kg]", ["n1 ≤5 → ≤2", "n2 0 → ≤2"]],
    ["hydration of unknown rows", "Crate{label=x, kg>3}", ["n1 ? → ?"]],
    ["a list without pages", "Crate[label]", ["n1 1 → ?", "n2 0 → ?"]],
    ["read to its end", "Crate.sort(label)", ["n1 1 → ?", "n2 0 → ?"]],
    ["limited", "Crate.limit(3)", ["n1 1 → ≤3"]],
    ["an effect that answers with a list", "Crate(c).split()", ["n1 1 → ?"]],
    ["and per row", "Crate.limit(2) => _.split()", ["n1 1 → ≤2", "n2 ≤2 → ?"]],
    ["a preflight read by such a get", "Crate(c).tag()", ["n1 3 → 1"]],
    ["labels added are looked up", "Crate(c).tag(plus=[a])", ["n1 ? → 1"]],
    ["labels removed, too", "Crate(c).tag(minus=[a])", ["n1 ? → 1"]],
  ])("%s: %s", (_, text, costs) => {
    expect(costsOf(text, store)).toEqual(costs);
  });

  test.each([
    ["a size in a query", "Exact", "≤3"],
    ["in a body", "Body", "≤3"],
    ["of GraphQL", "Graph", "≤3"],
    ["the first parameter with a size's name, in any spelling (RUN-073)", "Half", "≤7"],
    ["a parameter with another name", "Named", "?"],
    ["a size of nothing", "Zero", "?"],
    ["a size in words", "Text", "?"],
    ["pages by token", "Token", "?"],
    ["pages by link", "Header", "?"],
    ["no size at all", "Wide", "?"],
  ])("a declared page size bounds lists paged by a counter only: %s", (_, entity, requests) => {
    const { bill } = fullPlan(`${entity}.limit(25)`, store).summary;
    expect(figureText(bill.nodes["n1"]?.requests)).toBe(requests);
    expect(bill.nodes["n1"]?.rows).toEqual({ max: 25 });
  });
});

describe("PLAN-020: the whole bill", () => {
  test.each<[string, string, object]>([
    [
      "sums what is known",
      "Boat.limit(5).owner",
      { requests: "≤6", pages: "≤1", rows: "≤10", fan_out: "≤5", effects: "0" },
    ],
    [
      "local nodes give no rows",
      "Boat.limit(5).sort(name)[id]",
      { requests: "≤1", pages: "≤1", rows: "≤5", fan_out: "0", effects: "0" },
    ],
    [
      "rows in hand fan out to nothing",
      'Boat("b1").logs.limit(3)',
      { requests: "1", pages: "0", rows: "1", fan_out: "0", effects: "0" },
    ],
    [
      "one anchored list neither",
      'Boat("b1").visits.limit(3)',
      { requests: "≤1", pages: "≤1", rows: "≤3", fan_out: "0", effects: "0" },
    ],
    [
      "a list per row does",
      "Boat.limit(2).visits.limit(3)",
      { requests: "≤3", pages: "≤3", rows: "≤5", fan_out: "≤2", effects: "0" },
    ],
    [
      "a read per row, too",
      'x = ["b1", "b2"]\nx => Boat(_.value)',
      { requests: "≤2", pages: "0", rows: "≤2", fan_out: "≤2", effects: "0" },
    ],
    [
      "and an effect per row of known ones",
      'x = ["b1", "b2"]\nx => Boat(_.value).ping()',
      { requests: "2", pages: "0", rows: "2", fan_out: "2", effects: "2" },
    ],
    [
      "a list per value",
      "Boat{owner in [ann, bob]}.limit(3)",
      { requests: "≤2", pages: "≤2", rows: "≤3", fan_out: "≤2", effects: "0" },
    ],
    [
      "one effect",
      'Boat("b1").ping()',
      { requests: "1", pages: "0", rows: "1", fan_out: "0", effects: "1" },
    ],
    [
      "effects of unknown number",
      "Boat => _.ping()",
      { requests: "?", pages: "?", rows: "?", fan_out: "?", effects: "?" },
    ],
  ])("%s: %s", (_, text, expected) => {
    const { requests, pages, rows, fan_out, effects } = fullPlan(text).summary.bill;
    const figures = { requests, pages, rows, fan_out, effects };
    expect(
      Object.fromEntries(Object.entries(figures).map(([name, each]) => [name, figureText(each)])),
    ).toEqual(expected);
  });

  test("what is unknown names each node it is unknown for, pages with their most", () => {
    const { bill } = fullPlan("Boat.sort(name)\nVisit{boat=b1}.sort(day)").summary;
    expect(bill.requests).toEqual({ unknown: "n1 pages, at most 100; n3 pages, at most 100" });
    expect(bill.pages).toEqual({ unknown: "n1, at most 100; n3, at most 100" });
    expect(bill.rows).toEqual({ unknown: "n1; n3" });
  });

  test("all that keeps a figure unknown is told", () => {
    const { bill } = fullPlan('b = Boat("b1")\nBoat{flags=[b.name]}').summary;
    expect(bill.nodes["n2"]?.requests).toEqual({
      unknown: "pages, at most 100, and a get per row",
    });
  });
});
