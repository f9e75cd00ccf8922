import { expect, test } from "vitest";
import { planOf as planned } from "../../test/plan-of.ts";
import { exposureOf } from "../../test/exposure-of.ts";
import { fixtureCatalog } from "../../test/fixture-catalogs.ts";
import { quayExposure } from "../../test/fixture-exposure.ts";
import { ALL_FEATURES, CURRENT_FEATURES } from "../policy/policy.ts";
import type { Plan, PlanNode } from "./ir.ts";

const settings = { features: ALL_FEATURES };
const planOf = (text: string): Plan => planned(text, quayExposure, settings);

/** Nodes as `kind stage`, in plan order. */
const stages = (plan: Plan): readonly string[] =>
  plan.nodes.map(({ kind, stage }) => `${kind} ${stage}`);

const requests = ({ nodes }: Plan): readonly PlanNode[] =>
  nodes.filter((node) => "capability" in node || node.kind === "for_each");

const OK = { card: "one", entity: "Boat", columns: [["ok", "bool"]] };
const BOAT = { card: "one", entity: "Boat", columns: null };

test.each([
  [
    "C-026 create",
    "Boat.create(name=x, owner=ann)",
    {
      kind: "create",
      effect_class: "write",
      capability: "boat_create",
      args: { name: { lit: "x" }, owner: { lit: "ann" } },
      result: BOAT,
    },
  ],
  [
    "C-027 update",
    'Boat("b1").update(name="x")',
    {
      kind: "update",
      effect_class: "write",
      target: { id: { lit: "b1" } },
      args: { name: { lit: "x" } },
      result: BOAT,
    },
  ],
  [
    "C-028 action",
    'Boat("b1").ping()',
    { kind: "action", effect_class: "side_effect", target: { id: { lit: "b1" } }, result: OK },
  ],
  [
    "C-029 delete",
    'Boat("b2").delete()',
    { kind: "delete", effect_class: "write", target: { id: { lit: "b2" } }, result: OK },
  ],
])("%s: %s is one node, review, and reads nothing first", (_, text, expected) => {
  const plan = planOf(text);
  expect(plan.nodes).toHaveLength(1);
  expect(plan.nodes[0]).toMatchObject({ id: "n1", stage: 0, ...expected });
  expect(plan.summary.verdict).toBe("review");
  expect(plan.summary.bill).toMatchObject({ requests: { exact: 1 }, effects: { exact: 1 } });
  expect(plan.returns).toEqual([{ label: "Boat", node: "n1", page_size: null }]);
});

test("effects alone plan the same, whatever else is on", () => {
  const features = { ...CURRENT_FEATURES, effects: true };
  const text = 'a = Boat{state=lost}\na => Boat(_.id).send(to=_.name)\nBoat("b1").ping()';
  expect(planned(text, quayExposure, { features }).commit).toBe(planOf(text).commit);
});

test("C-019: an effect runs after what fills its arguments, the hole is typed", () => {
  const plan = planOf("h = <<X\nhi\nX\nBoat.create(name=h.content, owner=ann)");
  expect(plan.nodes.map(({ kind }) => kind)).toEqual(["data", "create"]);
  expect(plan.edges).toEqual([{ from: "n1", to: "n2" }]);
  expect(plan.nodes[1]).toMatchObject({
    args: { name: { from: "n1", path: ["content"], type: "str", many: false } },
  });
});

test("C-030: an effect per row runs though it is no root (LANG-072)", () => {
  const plan = planOf("r = Boat{state=lost}\nx = r => Boat(_.id).update(name=_.name)");
  expect(plan.returns).toEqual([]);
  expect(plan.nodes[1]).toMatchObject({
    kind: "for_each",
    effect_class: "side_effect",
    source: "n1",
    body: {
      kind: "update",
      capability: "boat_update",
      target: { id: { row: ["id"], type: "str" } },
      args: { name: { row: ["name"], type: "str" } },
    },
    result: { card: "many", entity: "Boat", columns: null },
  });
  expect(plan.nodes[1]).not.toHaveProperty("body.stage");
  expect(plan.nodes[0]).toMatchObject({ wanted: ["id", "name"] });
});

test("C-042: roots of one line in order, an effect among them", () => {
  const plan = planOf('Boat\nPerson, Boat("b1").send(to=a, note=b)');
  expect(plan.returns.map(({ label }) => label)).toEqual(["Boat", "Person", "Boat_2"]);
  expect(plan.nodes[0]).toMatchObject({
    kind: "action",
    args: { note: { lit: "b" }, to: { lit: "a" } },
  });
});

test("C-045: bodies of heredocs arrive byte for byte", () => {
  const plan = planOf('Boat("b1").send(to=<<A\n1\nA,\nnote=<<B\np1 ;; "${x} it\'s\nB)');
  expect(plan.nodes[0]).toMatchObject({
    args: { note: { lit: "p1 ;; \"${x} it's" }, to: { lit: "1" } },
  });
});

test("C-096: a label of one row takes a call, and is not fetched for it", () => {
  const plan = planOf("a = Boat.limit(1)\na.ping()");
  expect(plan.nodes).toMatchObject([
    { kind: "query", limit: 1, wanted: [] },
    { kind: "action", target: { id: { from: "n1", path: [], type: "Boat(str)", many: false } } },
  ]);
  expect(plan.summary.bill.effects).toEqual({ exact: 1 });
});

test("C-099: rows of an effect are derived from", () => {
  const plan = planOf('x = Boat("b1").update(name=y)\nx => {n: _.name}');
  expect(stages(plan)).toEqual(["update 0", "derive 1"]);
  expect(plan.edges).toEqual([{ from: "n1", to: "n2" }]);
});

test("C-100: what no root and no effect needs is not read", () => {
  const plan = planOf('a = Boat{owner=ann}\nb = Boat("b1").ping()\nLog(1)');
  expect(stages(plan)).toEqual(["action 0", "get 1"]);
  expect(plan.returns.map(({ label }) => label)).toEqual(["Log"]);
});

test("C-101: equal effects are both sent, with a reason", () => {
  const { nodes, summary } = planOf('Boat("b1").ping()\nBoat("b1").ping()');
  expect(nodes.map(({ kind, stage }) => `${kind} ${stage}`)).toEqual(["action 0", "action 1"]);
  const duplicates = summary.reasons.filter(({ code }) => code === "duplicate_effect");
  expect(duplicates).toMatchObject([{ severity: "info", node: "n2" }]);
  const other = planOf('Boat("b1").ping()\nBoat("b2").ping()').summary.reasons;
  expect(other.map(({ code }) => code)).not.toContain("duplicate_effect");
});

test("C-102: a read before and one after an effect are two, of their stages (LANG-073)", () => {
  const plan = planOf('Boat("b1")\nBoat("b1").update(name=z)\nBoat("b1")');
  expect(stages(plan)).toEqual(["update 0", "get 0", "get 1"]);
  expect(plan.returns.map(({ node }) => node)).toEqual(["n2", "n1", "n3"]);
});

test("C-117: a label in a body is called once per row and not read", () => {
  const plan = planOf('s = Boat("b1")\na = Boat.limit(2)\na => s.send(to=_.name)');
  expect(plan.nodes.map(({ kind }) => kind)).toEqual(["query", "for_each"]);
  expect(plan.nodes[1]).toMatchObject({ body: { target: { id: { lit: "b1" } } } });
  expect(plan.summary.bill.effects).toEqual({ max: 2 });
});

test("C-120: a limit reaches the read behind a label, which stays before the effect", () => {
  const plan = planOf('a = Boat\nBoat("b1").ping()\na.limit(2)');
  expect(stages(plan)).toEqual(["action 0", "query 0"]);
  expect(plan.nodes[1]).toMatchObject({ limit: 2 });
});

test("C-122: a constructor of an entity that is not exposed gives its key", () => {
  const only = exposureOf([fixtureCatalog("quay")], ["Boat"]);
  const plan = planned('Boat.create(name=x, owner=Person("ann"))', only, settings);
  expect(plan.nodes[0]).toMatchObject({ args: { owner: { lit: "ann" } } });
});

test("effects are numbered first, in source order, then the results (PLAN-010)", () => {
  const plan = planOf('a = Boat{state=lost}\na\nb = Boat("b9").ping()\na.limit(2) => _.ping()');
  const kinds = plan.nodes.map(({ id, kind, stage }) => `${id} ${kind} ${stage}`);
  expect(kinds).toEqual(["n1 action 0", "n2 query 0", "n3 compute 1", "n4 for_each 1"]);
  expect(plan.topological_order).toEqual(["n1", "n2", "n3", "n4"]);
});

test("a condition from an effect's answer is tested after it, never sent before (PLAN-004)", () => {
  const plan = planOf('a = Boat\nx = Boat("b1").update(name=y)\na{owner=x.owner}');
  expect(stages(plan)).toEqual(["update 0", "query 0", "compute 1"]);
  const after = planOf('x = Boat("b1").update(name=y)\nBoat{owner=x.owner}');
  expect(stages(after)).toEqual(["update 0", "query 1"]);
  expect(after.nodes[1]).toMatchObject({ args: { owner: { from: "n1", path: ["owner"] } } });
});

test("relations and fields of an effect's rows start from its answer (LANG-075)", () => {
  const plan = planOf("x = Boat.create(name=n, owner=ann)\nx.visits\nx[id, name]");
  expect(requests(plan)).toMatchObject([
    { kind: "create" },
    { kind: "relation", source: "n1", stage: 1 },
  ]);
  const done = planOf('x = Boat("b1").delete()\nx[ok]\nx.owner');
  expect(stages(done)).toEqual(["delete 0", "compute 1", "relation 1"]);
});

test("a path of the row at hand is fetched before the effects that need it", () => {
  const plan = planOf("a = Boat.limit(2)\na => Boat(_.id).send(to=_.owner.name, note=_.note)");
  expect(plan.nodes.map(({ kind }) => kind)).toEqual(["query", "join", "for_each"]);
  expect(plan.nodes[0]).toMatchObject({ wanted: ["id", "note", "owner"] });
});

test("an effect per item of a list of constants (LANG-046)", () => {
  const plan = planOf('ids = ["b1", "b9"]\nids => Boat(_.value).ping()');
  expect(plan.nodes[1]).toMatchObject({ body: { target: { id: { row: ["value"] } } } });
  expect(plan.summary.bill).toMatchObject({ effects: { exact: 2 }, requests: { exact: 2 } });
});
