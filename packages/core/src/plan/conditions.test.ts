import { expect, test } from "vitest";
import { commitOf, onlyNode, planOf } from "../../test/plan-of.ts";
import { quayExposure } from "../../test/fixture-exposure.ts";
import { renderPlan } from "./render/render-plan.ts";

const eq = (name: string, lit: unknown): object => ({ op: "=", path: [name], value: { lit } });

test.each([
  ["C-049 -0", "Boat{length=-0}", eq("length", 0)],
  ["C-049 exact", "Boat{length=1e309}", { op: "=", path: ["length"], value: { dec: "1e309" } }],
  [
    "C-049 exact",
    "Boat{length=9007199254740993}",
    { op: "=", path: ["length"], value: { dec: "9007199254740993" } },
  ],
  ["C-050 null", "Boat{built=null}", eq("built", null)],
  [
    "C-051 date",
    "Boat{built<2015-01-01}",
    { op: "<", path: ["built"], value: { lit: "2015-01-01" } },
  ],
  [
    "a time in UTC",
    "Boat{built<2015-01-01T10:00:00.50+02:00}",
    { op: "<", path: ["built"], value: { lit: "2015-01-01T08:00:00.5Z" } },
  ],
  [
    "C-052 relative date",
    "Boat{built>today-7d}",
    { op: ">", path: ["built"], value: { now: "today-7d" } },
  ],
  ["C-075 not equal", "Boat{state!=lost}", { op: "!=", path: ["state"], value: { lit: "lost" } }],
  [
    "C-075 logic",
    "Boat{any{state=lost, all{length>10, not{owner=ann}}}}",
    {
      or: [
        { and: [{ not: eq("owner", "ann") }, { op: ">", path: ["length"], value: { lit: 10 } }] },
        eq("state", "lost"),
      ],
    },
  ],
  [
    "C-075 exists and in",
    "Boat{exists(built), state in [lost, moored]}",
    {
      and: [
        { exists: ["built"] },
        { op: "in", path: ["state"], value: { lit: ["lost", "moored"] } },
      ],
    },
  ],
  ["C-076", "Boat{owner=ann, owner=bob}", { and: [eq("owner", "ann"), eq("owner", "bob")] }],
  ["substring", "Boat{name~AL}", { op: "~", path: ["name"], value: { lit: "AL" } }],
  ["element", "Boat{flags~x}", { op: "~", path: ["flags"], value: { lit: "x" } }],
  ["json path", "Boat{meta.a.0=1}", { op: "=", path: ["meta", "a", "0"], value: { lit: 1 } }],
  ["reference", 'Boat{owner!=Person("ann")}', { op: "!=", path: ["owner"], value: { lit: "ann" } }],
  ["whole list", "Boat{flags=[a, b]}", { op: "=", path: ["flags"], value: { lit: ["a", "b"] } }],
])("tested locally, nothing sent, %s: %s (LANG-050, RUN-112)", (_, text, filter) => {
  expect(onlyNode(text)).toMatchObject({ capability: "boat_query", args: {}, filter });
});

test("C-078: the list that takes every condition is chosen, the rest is tested", () => {
  expect(onlyNode("Boat{near=x, owner=ann}")).toMatchObject({
    capability: "boat_query",
    args: { near: { lit: "x" } },
    filter: eq("owner", "ann"),
  });
});

test("RUN-110: most required bound, then most optional", () => {
  expect(onlyNode("Boat{owner=ann, state=lost}")).toMatchObject({
    capability: "boat_query_owner",
    args: { owner: { lit: "ann" }, state: { lit: "lost" } },
    filter: null,
  });
});

test("RUN-111: an equality that is repeated is sent once, two different ones are not sent", () => {
  expect(onlyNode("Boat{state=lost, state=lost}")).toMatchObject({
    args: { state: { lit: "lost" } },
  });
  expect(onlyNode("Boat{state=lost, state=moored}")).toMatchObject({ args: {} });
});

test("LANG-027: a parameter of the lists is no key; further conditions are tested on the row", () => {
  expect(onlyNode("Visit{boat=b1, day=2026-01-05}")).toMatchObject({
    kind: "query",
    args: { boat: { lit: "b1" } },
    filter: eq("day", "2026-01-05"),
  });
  expect(planOf("Boat{id=b1, length>10}").nodes).toMatchObject([
    { kind: "get", missing: "empty" },
    { op: { filter: { op: ">", path: ["length"] } } },
  ]);
  expect(onlyNode("Boat{id=b1, near=x}")).toMatchObject({ kind: "query", args: { near: {} } });
});

test.each([
  ["order", "Boat{length>1, state!=lost}", "Boat{state!=lost, length>1}"],
  ["repetition", "Boat{length>1, length>1}", "Boat{length>1}"],
  ["all", "Boat{all{length>1, state!=lost}}", "Boat{length>1, state!=lost}"],
  ["double negation", "Boat{not{not{length>1}}}", "Boat{length>1}"],
  ["nested any", "Boat{any{length>1, any{state!=lost}}}", "Boat{any{state!=lost, length>1}}"],
  ["one of any", "Boat{any{length>1}}", "Boat{length>1}"],
  ["number spelling", "Boat{length>1.50}", "Boat{length>15e-1}"],
  ["text spelling", 'Boat{name="Al"}', "Boat{name=Al}"],
  ["offset", "Boat{built=2015-01-01T10:00+02:00}", "Boat{built=2015-01-01T08:00:00Z}"],
])("PLAN-003, one form whatever the %s", (_, one, other) => {
  expect(commitOf(one)).toBe(commitOf(other));
});

test.each([
  ["value", "Boat{length>1}", "Boat{length>2}"],
  ["operator", "Boat{length>1}", "Boat{length>=1}"],
  ["negation", "Boat{length>1}", "Boat{not{length>1}}"],
  ["precision of a date", "Boat{built=2015-01-01}", "Boat{built=2015-01-01T00:00:00Z}"],
  ["what is sent", "Boat{state=lost}", "Boat{state!=lost}"],
])("PLAN-012, another commit for another %s", (_, one, other) => {
  expect(commitOf(one)).not.toBe(commitOf(other));
});

test("C-052: one commit on two days, another bound shown", () => {
  const plan = planOf("Boat{built>today-7d}");
  const on = (day: string): string => renderPlan(plan, "pc0", { now: Date.parse(day) });
  expect(on("2026-01-12T09:30:00Z")).toContain("built > today-7d (2026-01-05) local");
  expect(on("2026-01-13T00:00:00Z")).toContain("built > today-7d (2026-01-06) local");
  expect(plan.commit).toBe(planOf("Boat{built>today-7d}").commit);
});

test("holes: a cell of another node fills a condition (LANG-044, C-115)", () => {
  expect(planOf('p = Person("ann")\nBoat~p.name').nodes).toMatchObject([
    { kind: "get", wanted: ["name"] },
    { kind: "search", args: { q: { from: "n1", path: ["name"], type: "str", many: false } } },
  ]);
  expect(planOf("b = Boat.limit(1)\nBoat{owner=b.owner}").nodes).toMatchObject([
    { kind: "query", limit: 1, wanted: ["owner"] },
    {
      capability: "boat_query_owner",
      args: { owner: { from: "n1", path: ["owner"], type: "Person(str)", many: false } },
    },
  ]);
});

test("PLAN-010: inputs are numbered before what they fill, edges say so", () => {
  const plan = planOf("b = Boat.limit(1)\nBoat{owner=b.owner}.limit(2)[id]");
  expect(plan.topological_order).toEqual(["n1", "n2", "n3"]);
  expect(plan.edges).toEqual([
    { from: "n1", to: "n2" },
    { from: "n2", to: "n3" },
  ]);
});

test("a label used twice is one read; what follows is computed (PLAN-003, PLAN-061)", () => {
  const plan = planOf("a = Boat\na.limit(2), a{state=lost}", quayExposure);
  expect(plan.nodes).toMatchObject([
    { kind: "query", args: {}, limit: null },
    { op: { limit: 2 }, source: "n1" },
    { op: { filter: eq("state", "lost") }, source: "n1" },
  ]);
});

test("equal reads are one node, with what both want (PLAN-003)", () => {
  expect(planOf("Boat[id]\nBoat[name]").nodes).toMatchObject([
    { kind: "query", wanted: ["id", "name"] },
    { kind: "compute" },
    { kind: "compute" },
  ]);
});

test.each([
  [
    "Boat.limit(5).filter{state=lost}.filter{length>3}",
    "Boat.limit(5).filter{length>3, state=lost}",
  ],
  [
    "a = Boat.limit(5)\nb = a{state=lost}\nb{length>3}",
    "Boat.limit(5).filter{length>3, state=lost}",
  ],
  ['Boat{owner.name="Ann"}.filter{owner.boats=3}', 'Boat{owner.boats=3, owner.name="Ann"}'],
  ["Boat{owner.boats=3, papers.id=x}", "Boat{papers.id=x}.filter{owner.boats=3}"],
])("LANG-029: adjacent filters that no read takes are one, too: %s", (one, other) => {
  expect(commitOf(one)).toBe(commitOf(other));
});
