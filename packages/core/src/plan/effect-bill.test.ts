import { expect, test } from "vitest";
import { mill } from "../../test/mill-catalog.ts";
import { planOf as planned } from "../../test/plan-of.ts";
import { exposureOf } from "../../test/exposure-of.ts";
import { fixtureCatalog } from "../../test/fixture-catalogs.ts";
import { ALL_FEATURES } from "../policy/policy.ts";
import type { Exposure } from "../symbols/exposure.ts";
import type { Figure, Plan } from "./ir.ts";
import { renderPlan } from "./render/render-plan.ts";

const boats = exposureOf([fixtureCatalog("quay")], ["Boat"]);
const planOf = (text: string, exposure: Exposure = mill): Plan =>
  planned(text, exposure, { features: ALL_FEATURES });

test.each<[string, string, Figure, Figure]>([
  ["one effect", "Sack(s).rest()", { exact: 1 }, { exact: 1 }],
  ["a read of the row before it", "Sack(s).mill()", { exact: 2 }, { exact: 1 }],
  ["and of a reference, if it is given", "Sack(s).mill(miller=jo)", { exact: 3 }, { exact: 1 }],
  [
    "and a look-up, if it is asked for",
    "Sack(s).mill(stone=x)",
    { unknown: "a look-up before it" },
    { exact: 1 },
  ],
  ["no look-up for nothing", "Sack(s).mill(stone=null)", { exact: 2 }, { exact: 1 }],
  ["a read that is made anyway", "s = Sack(s)\ns.mill()\ns", { max: 2 }, { exact: 1 }],
  ["effects per row", "Sack.limit(4) => _.rest()", { max: 4 }, { max: 4 }],
  ["a read before each", "Sack.limit(4) => _.mill()", { max: 8 }, { max: 4 }],
  ["constants", 'a = ["s", "t"]\na => Sack(_.value).mill()', { exact: 4 }, { exact: 2 }],
  [
    "rows of unknown number",
    "Sack => _.rest()",
    { unknown: "one per row of n1" },
    { unknown: "n2" },
  ],
])("the bill of %s: %s (PLAN-020)", (_, text, requests, effects) => {
  const { nodes, summary } = planOf(text);
  const effect = nodes.findLast((node) => node.effect_class === "side_effect");
  expect(summary.bill.nodes[effect?.id ?? ""]?.requests).toEqual(requests);
  expect(summary.bill.effects).toEqual(effects);
});

test("effects per row count against fan_out, those of one row do not (PLAN-052)", () => {
  expect(planOf("Sack.limit(4) => _.rest()").summary.bill.fan_out).toEqual({ max: 4 });
  expect(planOf("Sack(s).rest()").summary.bill.fan_out).toEqual({ exact: 0 });
});

test("each effect is a reason for review, by its label; per row it is expensive (OPS-5)", () => {
  const text = 'Boat("b1").delete()\nr = Boat{state=lost}\nr => Boat(_.id).send(to=_.name)';
  const { reasons, verdict } = planOf(text, boats).summary;
  expect(verdict).toBe("review");
  expect(reasons.map(({ code, severity, node, detail }) => [severity, code, node, detail])).toEqual(
    [
      ["expensive", "mutating_for_each", "n3", "rows unknown"],
      ["review", "effect", "n1", "delete"],
      ["review", "effect", "n3", "send"],
    ],
  );
});

test("an effect per row of an unbounded list reads it to the end (OPS-6)", () => {
  const { reasons } = planOf("Boat => _.ping()", boats).summary;
  expect(reasons.map(({ code }) => code)).toEqual([
    "unbounded_read",
    "mutating_for_each",
    "effect",
  ]);
  const bounded = planOf("Boat.limit(5) => _.ping()", boats).summary.reasons;
  expect(bounded.map(({ code }) => code)).toEqual(["mutating_for_each", "effect"]);
  expect(bounded[0]).toMatchObject({ detail: "≤5 rows", estimate: { requests: 5, rows: 5 } });
});

test("reads per row are no effects, their reason is another (PLAN-021)", () => {
  const { reasons, effects } = planOf("Sack.limit(30) => Lid.query(sack=_)").summary;
  expect(reasons.map(({ code }) => code)).toContain("unbounded_for_each");
  expect(reasons.map(({ code }) => code)).not.toContain("effect");
  expect(effects).toEqual([]);
});

test("the planned effects with catalog, target and arguments, holes as references (OPS-37)", () => {
  const text = `h = Boat("b1")
x = Boat.create(name=h.name, owner=ann, note="${"n".repeat(100)}")
Boat{state=lost}.limit(2) => _.send(to=x.name, note=_.name)`;
  expect(planOf(text, boats).summary.effects).toEqual([
    {
      node: "n2",
      catalog: "quay",
      capability: "boat_create",
      target: null,
      args: { name: "h.name", note: `${"n".repeat(80)}… (100 characters)`, owner: "ann" },
      for_each: null,
    },
    {
      node: "n4",
      catalog: "quay",
      capability: "boat_send",
      target: "_",
      args: { note: "_.name", to: "x.name" },
      for_each: "n3",
    },
  ]);
});

test("the dry run shows effects with target and every argument (PLAN-040)", () => {
  const text = `h = Boat("b1")
x = Boat.create(name=h.name, owner=ann, length=12.5)
Boat("b 2").update(note=null)
Boat{state=lost}.limit(2) => _.send(to=x.name, note="it's \\"so\\"")
Boat("b3").delete()`;
  const shown = renderPlan(planOf(text, boats), "pc0").split("\n");
  expect(shown[0]).toBe(
    "plan review pc0 · 6 nodes, ≤7 requests, ≤5 effects → Boat, Boat_2, Boat_3",
  );
  expect(shown.slice(shown.indexOf("") + 1)).toEqual([
    "n1 get quay.Boat get(id=b1)",
    'n2 create ← n1 · effect quay.Boat.create(length=12.5, name=h.name, owner="ann")',
    'n3 update · effect quay.Boat("b 2").update(note=null)',
    "n4 query quay.Boat query(state=lost) · ≤2 rows",
    `n5 for_each ← n2, n4 · effect quay.Boat(_).send(note="it's \\"so\\"", to=x.name) · ≤2 requests`,
    'n6 delete · effect quay.Boat("b3").delete()',
  ]);
});

test("reads before an effect show in its requests, calls without row have none", () => {
  const shown = renderPlan(planOf("Sack(s).mill(miller=jo)\nSack.rest()"), "pc0").split("\n");
  expect(shown.slice(-2)).toEqual([
    'n1 action · effect mill.Sack("s").mill(miller="jo") after reading sack_get, miller_get · 3 requests',
    "n2 action · effect mill.Sack.rest()",
  ]);
});
