import { expect, test } from "vitest";
import { quayExposure } from "../../test/fixture-exposure.ts";
import { errorsOf, planOf } from "../../test/plan-of.ts";
import { CURRENT_FEATURES } from "../policy/policy.ts";
import type { Plan } from "./ir.ts";
import { renderPlan } from "./render/render-plan.ts";

const settings = { features: { ...CURRENT_FEATURES, join: true, derive: true, aggregate: true } };
const plan = (text: string): Plan => planOf(text, quayExposure, settings);

test("C-077: a condition on another entity's field is tested behind a join (RUN-114)", () => {
  const { nodes, edges } = plan('Boat{owner.name="Ann"}');
  expect(nodes).toMatchObject([
    { kind: "query", filter: null, wanted: ["owner"] },
    {
      kind: "join",
      source: "n1",
      path: ["owner"],
      as: "owner",
      catalog: { entity: "Person" },
      capability: "person_get",
      wanted: ["name"],
      result: { entity: "Boat", columns: null },
    },
    { op: { filter: { op: "=", path: ["owner", "name"], value: { lit: "Ann" } } }, source: "n2" },
  ]);
  expect(edges).toEqual([
    { from: "n1", to: "n2" },
    { from: "n2", to: "n3" },
  ]);
});

test("conditions of the entity's own stay next to the read, in whatever order (LANG-029)", () => {
  const one = plan('Boat{owner.name="Ann", state=lost}');
  expect(one.nodes[0]).toMatchObject({ args: { state: { lit: "lost" } } });
  expect(plan('Boat{state=lost}.filter{owner.name="Ann"}').commit).toBe(one.commit);
  expect(plan('Boat{owner.name="Ann"}.filter{state=lost}').commit).toBe(one.commit);
});

test("C-087: a column of another entity is at most a get per row, all in the plan", () => {
  const { nodes, summary } = plan("Boat.limit(2)[name, owner.name]");
  expect(nodes.at(-1)).toMatchObject({
    op: { project: [["name"], ["owner", "name"]] },
    result: {
      columns: [
        ["name", "str"],
        ["owner.name", "str"],
      ],
    },
  });
  expect(summary.bill.nodes).toMatchObject({ n2: { requests: { max: 2 } } });
});

test("a column's name is its path, by which later steps read it; it is fetched once (LANG-064)", () => {
  const text = "Boat.limit(3).sort(owner.name)[id, owner.name].sort(owner.name)";
  expect(plan(text).nodes.map(({ kind }) => kind)).toEqual([
    "query",
    "join",
    "compute",
    "compute",
    "compute",
  ]);
});

test("up to three to-one steps, each fetched from the one before (LANG-053)", () => {
  expect(plan("Boat.limit(3)[papers.office.city]").nodes).toMatchObject([
    { kind: "query", wanted: ["papers"] },
    { kind: "join", path: ["papers"], wanted: ["office"], catalog: { entity: "Paper" } },
    { kind: "join", path: ["papers", "office"], wanted: ["city"], catalog: { entity: "Office" } },
    { op: { project: [["papers", "office", "city"]] } },
  ]);
});

test("cells of labels and of _ may be fields of another entity", () => {
  expect(plan('b = Boat("b1")\nBoat{name=b.owner.name}').nodes).toMatchObject([
    { kind: "get" },
    { kind: "join", source: "n1" },
    { filter: { value: { from: "n2", path: ["owner", "name"], type: "str", many: false } } },
  ]);
  expect(plan("a = Boat.limit(2)\na => {n: _.owner.name}").nodes).toMatchObject([
    { kind: "query" },
    { kind: "join" },
    { kind: "derive", source: "n2", columns: [["n", { row: ["owner", "name"] }]] },
  ]);
});

test("a join over many rows is a fan-out; the dry run shows it (PLAN-021)", () => {
  const found = plan("Boat.group_by(owner.name, n=count)");
  expect(found.summary.reasons).toContainEqual(
    expect.objectContaining({ code: "relation_fanout", node: "n2" }),
  );
  expect(renderPlan(found, "pc0").split("\n\n")[1]).toBe(
    [
      "n1 query quay.Boat query() · pages unknown, ≤100",
      "n2 join owner ← n1 · requests unknown, one per row of n1",
      "n3 group_by owner.name, n=count ← n2",
    ].join("\n"),
  );
});

test("a page size on derived rows is that of their list (RUN-076)", () => {
  const { nodes, summary } = plan("a = Boat.page_size(10)\na => {n: _.name}");
  expect(nodes.map(({ kind }) => kind)).toEqual(["query", "derive"]);
  expect(summary.bill.nodes["n1"]).toMatchObject({ requests: { max: 1 }, rows: { max: 10 } });
  expect(summary.verdict).toBe("ok");
});

test.each([
  ["no column there", "Boat.limit(3)[owner.nme]", "unknown_column", "nme"],
  ["through many", "Boat.limit(3)[visits.day]", "relation_as_value", "visits"],
  ["a relation at the end", "Boat.limit(3)[owner.boats.x]", "unknown_column", "x"],
  ["nothing behind a plain field", "Boat.limit(3)[papers.office.city.x]", "unknown_column", "x"],
])("%s: %s is %s", (_, text, code, at) => {
  const [error, ...more] = errorsOf(text, quayExposure, settings);
  expect(more).toEqual([]);
  expect(error).toMatchObject({ code });
  expect(text.slice(error?.span.start, error?.span.end)).toBe(at);
});
