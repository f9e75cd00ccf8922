import { describe, expect, test } from "vitest";
import { fullPlan, headOf, linesOf } from "../../test/bill-of.ts";
import { mill } from "../../test/mill-catalog.ts";
import { store } from "../../test/store-catalog.ts";
import type { Exposure } from "../symbols/exposure.ts";
import { renderPlan, renderReasons } from "./render/render-plan.ts";

describe("PLAN-040: nodes, requests and effects of the first line", () => {
  test.each<[string, string, string, Exposure?]>([
    ["one of each", 'Boat("b1").ping()', "1 node, 1 request, 1 effect → Boat"],
    [
      "several",
      'Boat("b1").ping()\nBoat("b2").ping()',
      "2 nodes, 2 requests, 2 effects → Boat, Boat_2",
    ],
    ["nothing is sent", "x = [1]\nx", "1 node, 0 requests → x"],
    ["at most", "Boat.limit(5) => _.ping()", "2 nodes, ≤6 requests, ≤5 effects → Boat"],
    ["unknown effects", "Boat => _.ping()", "2 nodes, 1 request or more, effects unknown → Boat"],
    [
      "certain are gets",
      'Boat("b1")\nPerson("ann")\nBoat.sort(name)',
      "4 nodes, 3 requests or more → Boat, Person, Boat_2",
    ],
    [
      "and lists",
      "Boat.sort(name)\nVisit{boat=b1}.sort(day)",
      "4 nodes, 2 requests or more → Boat, Visit",
    ],
    ["and searches", 'Boat~"Al".sort(name)', "2 nodes, 1 request or more → Boat"],
    [
      "and the relation of one row",
      'Boat("b1").visits\nPerson("ann").boats',
      "2 nodes, 2 requests or more → Visit, Boat",
    ],
    ["but not of rows", "Boat.limit(2).visits", "2 nodes, 1 request or more → Visit"],
    ["nor of no rows", "x = Boat{id in [b1, b2]}\nx.visits", "2 nodes, 0 requests or more → Visit"],
    [
      "nor what is sent per cell",
      "a = Person.limit(2)\nBoat{owner in a.login}",
      "2 nodes, 1 request or more → Boat",
    ],
    [
      "nor a search per cell",
      "a = Person\nBoat{owner in a.login}",
      "2 nodes, 1 request or more → Boat",
    ],
    ["nor joins", "Boat[owner.name]", "3 nodes, 1 request or more → Boat"],
    [
      "an effect is",
      "x = Boat.create(name=a, owner=ann)\nx.visits",
      "2 nodes, 1 request or more, 1 effect → Visit",
    ],
    [
      "also one with a look-up before it",
      "Sack(s).mill(stone=x)",
      "1 node, 1 request or more, 1 effect → Sack",
      mill,
    ],
    [
      "not one per row",
      "Sack => _.mill()",
      "2 nodes, 1 request or more, effects unknown → Sack",
      mill,
    ],
    ["two requests of one get", "Crate(c)", "1 node, 2 requests → Crate", store],
  ])("%s: %s", (_, text, head, exposure) => {
    expect(headOf(text, exposure)).toBe(head);
  });

  test("C-030: an effect that is no result has no label there", () => {
    expect(headOf('x = Boat("b1").ping()')).toBe("1 node, 1 request, 1 effect");
  });

  test("C-042: results by label, in order", () => {
    expect(headOf('a = Boat("b1")\nPerson("ann"), a')).toMatch(/ → Person, a$/);
  });
});

describe("PLAN-040: reasons, a line each", () => {
  test("severity, code, node, entity and detail", () => {
    const plan = fullPlan(
      'Boat("b1").ping()\nPerson.sort(name)\nx = ["b1"]\nx => Boat(_.value).ping()',
    );
    const [first, second, ...others] = renderReasons(plan);
    expect(second).toMatch(/^expensive unbounded_read n4 Person: \S/);
    expect([first, ...others.slice(0, 2)]).toEqual([
      "expensive mutating_for_each n3 Boat: ≤1 rows",
      "review effect n1 Boat: ping",
      "review effect n3 Boat: ping",
    ]);
  });

  test("the entity of a call is its own, whatever it answers with", () => {
    const reasons = (text: string): readonly string[] => renderReasons(fullPlan(text, mill));
    expect(reasons("Sack(s).split()")[0]).toBe("review effect n1 Sack: split");
    expect(reasons("Sack.limit(2) => _.split()").slice(0, 2)).toEqual([
      "expensive mutating_for_each n2 Sack: ≤2 rows",
      "review effect n2 Sack: split",
    ]);
  });

  test("the entity of rows that a step makes, none of a reason about no node", () => {
    const wide = renderReasons(fullPlan("Wide.limit(3).sort(f1)", store));
    expect(wide[0]).toMatch(/^info wide_read n2 Wide: \S/);
    const word = fullPlan('anm = Person("ann")\nBoat("b1").send(to=ann.name)\nanm');
    expect(renderReasons(word).filter((line) => line.includes("text_not"))).toEqual([
      expect.stringMatching(/^info text_not_binding: \S/),
    ]);
  });
});

describe("PLAN-040: nodes, a line each", () => {
  test.each<[string, string, readonly string[], Exposure?]>([
    ["a get", 'Boat("b1")', ["n1 get quay.Boat get(id=b1)"]],
    [
      "a compound key",
      "Visit(boat=b1, day=2026-01-05)",
      ["n1 get quay.Visit get(boat=b1, day=2026-01-05)"],
    ],
    ["a get of two requests", "Crate(c)", ["n1 get store.Crate get(id=c) · 2 requests"], store],
    [
      "a search with a condition",
      'Boat~"Al"{length>3}',
      ["n1 search quay.Boat search(q=Al) · length > 3 local · pages unknown, ≤100"],
    ],
    ["text with blanks", 'Boat{near="pier x"}', ['n1 query quay.Boat query(near="pier x")']],
    ["pages", "Boat.limit(40)", ["n1 query quay.Boat query() · ≤40 rows · ≤2 pages"]],
    ["one page is no note", "Boat.limit(20)", ["n1 query quay.Boat query() · ≤20 rows"]],
    ["a list without pages", "Crate.limit(3)", ["n1 query store.Crate query() · ≤3 rows"], store],
    [
      "a list per value",
      "Boat{owner in [ann, bob]}",
      ["n1 query quay.Boat query-owner(owner=[ann, bob]) · pages unknown, ≤100"],
    ],
    ["gets per key", "Boat{id in [b1, b2]}", ["n1 get quay.Boat get(id=[b1, b2]) · ≤2 requests"]],
    [
      "conditions, each",
      "Visit{boat=b1, not{exists(fee)}, fee>1}",
      [
        "n1 query quay.Visit query(boat=b1) · not{exists(fee)} local · fee > 1 local · pages unknown, ≤100",
      ],
    ],
    [
      "alternatives",
      "Boat{state=lost, any{exists(meta.a.b), all{length>1, length<9}}}.limit(1)",
      [
        "n1 query quay.Boat query(state=lost) · any{all{length < 9, length > 1}, exists(meta.a.b)} local · ≤1 rows · pages unknown, ≤100 · a get per row",
      ],
    ],
    [
      "a list of values",
      "Boat{state in [lost, moored]}.limit(1)",
      [
        "n1 query quay.Boat query() · state in [lost, moored] local · ≤1 rows · pages unknown, ≤100",
      ],
    ],
    [
      "null",
      "Boat{built=null}.limit(1)",
      ["n1 query quay.Boat query() · built = null local · ≤1 rows · pages unknown, ≤100"],
    ],
    [
      "an exact number",
      "Boat{length=1e309}.limit(1)",
      ["n1 query quay.Boat query() · length = 1e309 local · ≤1 rows · pages unknown, ≤100"],
    ],
    [
      "a relation from its anchor",
      'Boat("b1").visits',
      ["n1 relation quay.Boat(id=b1).visits query(boat=_) · pages unknown, ≤100"],
    ],
    [
      "one that is paged to its limit",
      'Boat("b1").visits.limit(30)',
      ["n1 relation quay.Boat(id=b1).visits query(boat=_) · ≤30 rows · ≤2 pages"],
    ],
    [
      "a relation of rows",
      "Boat.limit(3).visits.limit(30)",
      [
        "n1 query quay.Boat query() · ≤3 rows",
        "n2 relation quay.Boat.visits query(boat=_) ← n1 · ≤30 rows · ≤6 requests",
      ],
    ],
    [
      "a relation to a key",
      "b = Boat.limit(1)\nVisit(boat=b, day=2026-01-05).boat",
      [
        "n1 query quay.Boat query() · ≤1 rows",
        "n2 relation quay.Visit(boat=b, day=2026-01-05).boat get() ← n1 · ≤1 rows",
      ],
    ],
  ])("%s: %s", (_, text, lines, exposure) => {
    expect(linesOf(text, exposure)).toEqual(lines);
  });

  test.each([
    [
      "Boat.limit(9).filter{any{exists(meta.a), not{length>3}}, name~A}",
      "filter name ~ A, any{exists(meta.a), not{length > 3}}",
    ],
    ["Boat.limit(9).sort(state, length desc)", "sort state, length desc"],
    ["Boat.limit(9)[name].limit(3)", "limit 3"],
    ["Boat.limit(9).singleton()", "singleton"],
    ["Boat.limit(9).distinct()", "distinct"],
    ["Boat.limit(9).distinct(owner, state)", "distinct owner, state"],
    ["Boat.limit(9)[id, name]", "project id, name"],
    ["Boat.limit(9).aggregate(n=count, t=sum(length))", "aggregate n=count, t=sum(length)"],
    ["Boat.limit(9).group_by(owner, state, n=count)", "group_by owner, state, n=count"],
  ])("what a step computes: %s", (text, what) => {
    const [, id = "", rest = ""] = /^(n\d+) (.*)$/.exec(linesOf(text).at(-1) ?? "") ?? [];
    const source = `n${Number(id.slice(1)) - 1}`;
    const note = what === "limit 3" ? " · ≤3 rows" : "";
    expect(rest).toBe(`${what} ← ${source}${note}`);
  });

  test("paths of another row, fetched for a column, a sort or a sum", () => {
    const text = "Boat.limit(3).sort(owner.name)";
    expect(linesOf(text).slice(1)).toEqual([
      "n2 join owner ← n1 · ≤3 requests",
      "n3 sort owner.name ← n2",
    ]);
    expect(linesOf("Boat.limit(3).aggregate(m=max(owner.boats))").at(-1)).toBe(
      "n3 aggregate m=max(owner.boats) ← n2",
    );
    expect(linesOf("Boat.limit(3).group_by(owner.name, n=count)").at(-1)).toBe(
      "n3 group_by owner.name, n=count ← n2",
    );
    const paths = "v = Visit{boat=b1}.limit(2)\nv[boat.owner.name]";
    expect(linesOf(paths).filter((line) => line.includes(" join "))).toEqual([
      "n2 join boat ← n1 · ≤2 requests",
      "n3 join boat.owner ← n2 · ≤2 requests",
    ]);
  });

  test("data and derived rows, holes as references", () => {
    const text =
      'b = Boat("b1")\nBoat.limit(2) => {n: [_.name, b.name], o: {a: _.length, k: b.owner}}\nx = ["b1", b.name, 2]\nx';
    expect(linesOf(text)).toEqual([
      "n1 query quay.Boat query() · ≤2 rows",
      "n2 get quay.Boat get(id=b1)",
      "n3 derive n=[_.name, b.name], o={a: _.length, k: b.owner} ← n1, n2",
      "n4 data [b1, b.name, 2] ← n2",
    ]);
  });

  test("a list that is asked per row tells requests, not pages", () => {
    const [, list] = linesOf("a = Person\nBoat{owner in a.login}");
    expect(list).toMatch(/ ← n1 · requests unknown, \S/);
  });

  test("a reference with holes in its key", () => {
    const text = "Crate.limit(2) => {n: Shelf(aisle=_.label, no=3)}";
    expect(linesOf(text, store).at(-1)).toBe("n2 derive n=Shelf(aisle=_.label, no=3) ← n1");
  });

  test("reads per row, of one and of several key parts, of lists", () => {
    expect(linesOf('x = ["b1", "b2"]\nx => Boat(_.value)').at(-1)).toBe(
      "n2 for_each ← n1 · quay.Boat(_.value).get() · ≤2 requests",
    );
    expect(linesOf("Boat.limit(2) => Visit(boat=_, day=_.built)").at(-1)).toBe(
      "n2 for_each ← n1 · quay.Visit(boat=_, day=_.built).get() · ≤2 requests",
    );
    expect(linesOf("Boat.limit(2) => Visit{boat=_, fee>3}").at(-1)).toBe(
      "n2 for_each ← n1 · quay.Visit.query(boat=_) · fee > 3 local · requests unknown, pages, at most 100",
    );
  });

  test("a relative date has its value only for who asks on a day (PLAN-040)", () => {
    const plan = fullPlan("Boat{built>today-7d}.limit(1)");
    expect(renderPlan(plan, "pc0")).toContain("built > today-7d local");
    expect(renderPlan(plan, "pc0", { now: Date.UTC(2026, 0, 12) })).toContain(
      "built > today-7d (2026-01-05) local",
    );
  });

  test.each([
    [80, "x".repeat(80)],
    [81, `${"x".repeat(80)}… (81 characters)`],
  ])("a value of %i characters", (count, shown) => {
    expect(linesOf(`Boat{name="${"x".repeat(count)}"}.limit(1)`)[0]).toContain(
      `name = ${shown} local`,
    );
  });
});
