import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { planOf } from "../../test/plan-of.ts";
import { exposureOf } from "../../test/exposure-of.ts";
import { fixtureCatalog } from "../../test/fixture-catalogs.ts";
import { ALL_FEATURES, CURRENT_FEATURES } from "../policy/policy.ts";
import type { Plan } from "./ir.ts";
import { renderPlan } from "./render/render-plan.ts";

const golden = (name: string): string =>
  readFileSync(new URL(`../../test/golden/${name}`, import.meta.url), "utf8");

/** The plan of the plan specification's worked example, as written there. */
const stated = JSON.parse(golden("plan-worked-example.json")) as Plan;

const program = `old = Boat{state=moored, built<2015-01-01}.sort(length, desc).limit(3)[id, name]
old => Boat(_.id).send(to="harbour", note=_.name)
old`;

/** The catalog of the example, at the digest that stands in its plan. */
const digest = "sha256:7c69a4d56fe47f4d0486cac14a3f02339b5f9acac9f5d140c5780b90bb548583";
const exposure = exposureOf([{ ...fixtureCatalog("quay"), digest }], ["Boat"]);

test.each([
  ["with everything", ALL_FEATURES],
  ["with effects alone", { ...CURRENT_FEATURES, effects: true }],
])("the worked example's program has the commit stated for it, %s (PLAN-012)", (_, features) => {
  const plan = planOf(program, exposure, { features });
  expect(plan.commit).toBe(
    "sha256:bc662301b467fe4984fb5126f474d4495faf51a4b43985d6280d82754c35a51e",
  );
  expect(plan.nodes).toEqual(stated.nodes);
  expect(plan.edges).toEqual(stated.edges);
  expect(plan.returns).toEqual(stated.returns);
});

test("so do its verdict, reasons, bill and effects (PLAN-020, PLAN-021, OPS-37)", () => {
  const { summary } = planOf(program, exposure, { features: ALL_FEATURES });
  const { verdict, reasons, bill, effects, budgets, nodes } = summary;
  expect({ verdict, reasons, effects, budgets }).toEqual({
    verdict: stated.summary.verdict,
    reasons: stated.summary.reasons,
    effects: stated.summary.effects,
    budgets: stated.summary.budgets,
  });
  expect(bill).toMatchObject({
    ...stated.summary.bill,
    nodes: {
      n1: { requests: { unknown: "pages, at most 100" }, rows: { unknown: "pages" } },
      n3: { requests: { exact: 0 }, rows: { max: 3 } },
      n5: { requests: { max: 3 }, rows: { max: 3 } },
    },
  });
  expect(nodes["n4"]).toEqual(stated.summary.nodes["n4"]);
});

test("and its dry run is the text shown (PLAN-040)", () => {
  const plan = planOf(program, exposure, { features: ALL_FEATURES });
  expect(`${renderPlan(plan, "pc0")}\n`).toBe(golden("plan-worked-example.txt"));
});
