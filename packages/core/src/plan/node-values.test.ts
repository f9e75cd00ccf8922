import { describe, expect, test } from "vitest";
import { fullPlan } from "../../test/bill-of.ts";
import { store } from "../../test/store-catalog.ts";
import type { Exposure } from "../symbols/exposure.ts";
import type { PlanNode } from "./ir.ts";

const cell = (from: string, path: string, type = "str", many = false): object => ({
  from,
  path: path === "" ? [] : [path],
  type,
  many,
});
const eq = (path: string, value: unknown): object => ({ op: "=", path: [path], value });

const nodes = (text: string, exposure?: Exposure): readonly PlanNode[] =>
  fullPlan(text, exposure).nodes;
const edges = (text: string, exposure?: Exposure): readonly string[] =>
  fullPlan(text, exposure).edges.map(({ from, to }) => `${from} ${to}`);

describe("PLAN-010: a cell of another node is filled from the node's final number, wherever it stands", () => {
  test.each<[string, string, object, readonly string[], Exposure?]>([
    [
      "in conditions behind a limit",
      'b = Boat("b1")\nBoat.limit(2).filter{any{name=b.name, not{state=b.state}}}',
      {
        op: {
          filter: {
            or: [
              { not: { path: ["state"], value: { from: "n2" } } },
              eq("name", cell("n2", "name")),
            ],
          },
        },
      },
      ["n1 n3", "n2 n3"],
    ],
    [
      "in a list tested",
      'b = Boat("b1")\nBoat{flags=[b.name, x]}',
      { filter: eq("flags", { list: [cell("n1", "name"), { lit: "x" }] }) },
      ["n1 n2"],
    ],
    [
      "in a reference",
      "c = Crate(c)\nCrate{shelf=Shelf(aisle=c.label, no=3)}",
      {
        filter: eq("shelf", {
          ref: { entity: "Shelf", key: { aisle: cell("n1", "label"), no: { lit: 3 } } },
        }),
      },
      ["n1 n2"],
      store,
    ],
    [
      "in references derived",
      "c = Crate(c)\nCrate.limit(2) => {s: Shelf(aisle=c.label, no=3), t: [Shelf(aisle=_.label, no=4)]}",
      {
        columns: [
          ["s", { ref: { entity: "Shelf", key: { aisle: cell("n2", "label"), no: { lit: 3 } } } }],
          [
            "t",
            {
              list: [
                {
                  ref: {
                    entity: "Shelf",
                    key: { aisle: { row: ["label"], type: "str" }, no: { lit: 4 } },
                  },
                },
              ],
            },
          ],
        ],
      },
      ["n1 n3", "n2 n3"],
      store,
    ],
    [
      "in data",
      'b = Boat("b1")\nx = [b.name, {a: b.state, c: [b.built]}, 3]\nx',
      {
        kind: "data",
        value: {
          list: [
            cell("n1", "name"),
            {
              obj: {
                a: cell("n1", "state", "moored|sailing|lost"),
                c: { list: [cell("n1", "built", "date")] },
              },
            },
            { lit: 3 },
          ],
        },
      },
      ["n1 n2"],
    ],
    [
      "in a key",
      'b = Boat("b1")\nVisit(boat=x, day=b.built)',
      { kind: "get", key: { boat: { lit: "x" }, day: cell("n1", "built", "date") } },
      ["n1 n2"],
    ],
    [
      "in an anchor",
      'b = Boat("b1")\nVisit(boat=x, day=b.built).boat',
      { kind: "relation", anchor: { boat: { lit: "x" }, day: cell("n1", "built", "date") } },
      ["n1 n2"],
    ],
    [
      "in the key of a read per row",
      'b = Boat("b1")\nBoat.limit(2) => Visit(boat=_, day=b.built)',
      {
        body: {
          kind: "get",
          key: { boat: { row: [], type: "Boat(str)" }, day: cell("n2", "built", "date") },
        },
      },
      ["n1 n3", "n2 n3"],
    ],
    [
      "in its condition",
      'b = Boat("b1")\nBoat.limit(2) => Visit{boat=_, fee=b.length}',
      { body: { kind: "query", filter: eq("fee", cell("n2", "length", "num")) } },
      ["n1 n3", "n2 n3"],
    ],
    [
      "in a target",
      'b = Boat("b1")\nBoat(b.name).send(to=b.state)',
      {
        kind: "action",
        target: { id: cell("n1", "name") },
        args: { to: { from: "n1", path: ["state"] } },
      },
      ["n1 n2"],
    ],
    [
      "as a column",
      "a = Person.limit(2)\nBoat{not{owner in a.login}}",
      { filter: { not: { op: "in", path: ["owner"], value: cell("n1", "login", "str", true) } } },
      ["n1 n2"],
    ],
    [
      "as rows",
      "a = Person.limit(2)\nBoat{owner in a}",
      { args: { owner: cell("n1", "", "Person(str)", true) }, filter: null },
      ["n1 n2"],
    ],
  ])("%s", (_, text, last, between, exposure) => {
    expect(nodes(text, exposure).at(-1)).toMatchObject(last);
    expect(edges(text, exposure)).toEqual(between);
  });
});

describe("PLAN-003, PLAN-004: what reaches a read", () => {
  const last = (text: string): PlanNode | undefined => nodes(text).at(-1);

  test("a limit behind page sizes, which drop no rows", () => {
    for (const text of [
      "a = Boat.page_size(5)\na.limit(2)",
      "a = Boat.page_size(5).page_size(7).limit(2)\na",
    ]) {
      expect(nodes(text)).toMatchObject([{ kind: "query", limit: 2 }]);
    }
  });

  test("a condition before an effect stays before it (C-120)", () => {
    const text = 'a = Boat\nBoat("b1").ping()\na{length>3}.limit(2)';
    expect(last(text)).toMatchObject({ kind: "query", stage: 0, limit: 2, filter: { op: ">" } });
    expect(last('Boat("b1").ping()\nBoat{length>3}.limit(2)')).toMatchObject({ stage: 1 });
  });

  test("a condition filled behind an effect does not reach the read before it", () => {
    const text = 'a = Boat.page_size(9)\nx = Boat("b1").update(name=q)\na{name=x.name}';
    expect(nodes(text)).toMatchObject([
      { kind: "update" },
      { kind: "query", stage: 0, filter: null },
      { op: { filter: eq("name", { from: "n1" }) } },
    ]);
  });

  test.each([
    [
      'Person("ann").boats{length>3}.limit(3)',
      { limit: 3, filter: { op: ">" }, anchor: { login: { lit: "ann" } } },
    ],
    ["Boat.limit(3).visits{fee>3}.limit(4)", { limit: 4, filter: { path: ["fee"] }, source: "n1" }],
    [
      "Boat.limit(3).twin{length>3}",
      {
        via: "get_scoped_bindings",
        capability: "boat_get_twin",
        args: {},
        filter: { path: ["length"] },
      },
    ],
    [
      "Boat.limit(3).papers{id=x}",
      { via: "ref", filter: eq("id", { lit: "x" }), capability: "paper_get" },
    ],
    [
      'Boat("b1").logs{text=x}.limit(2)',
      { via: "from_parent_get", capability: null, filter: eq("text", { lit: "x" }), limit: 2 },
    ],
  ])("a relation's conditions and limit: %s", (text, relation) => {
    expect(last(text)).toMatchObject({ kind: "relation", effect_class: "read", ...relation });
  });

  test("a limit behind keys is a step of its own", () => {
    expect(nodes("Boat{id in [b1, b2], length>3}.limit(1)")).toMatchObject([
      { kind: "get", missing: "empty" },
      { op: { filter: { op: ">" } } },
      { op: { limit: 1 } },
    ]);
    expect(nodes("Boat{id in [b1, b2]}.limit(1)")).toMatchObject([
      { kind: "get" },
      { op: { limit: 1 } },
    ]);
  });

  test("joins that several need are made once, and say what they are of", () => {
    expect(nodes('a = Boat.limit(9)\na{owner.name="Ann"}, a[owner.name]')).toMatchObject([
      { kind: "query" },
      {
        kind: "join",
        effect_class: "read",
        path: ["owner"],
        as: "owner",
        args: {},
        wanted: ["name"],
      },
      { source: "n2" },
      { source: "n2" },
    ]);
    const plan = fullPlan("v = Visit{boat=b1}.limit(2)[boat.owner.name]\nv");
    expect(plan.nodes).toMatchObject([
      {},
      { as: "boat" },
      { as: "boat.owner", path: ["boat", "owner"] },
      {},
    ]);
    expect(plan.summary.nodes["n3"]?.label).toBe(plan.summary.nodes["n2"]?.label);
  });
});
