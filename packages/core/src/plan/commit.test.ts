import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { quayExposure } from "../../test/fixture-exposure.ts";
import { commitOf as commitIdOf } from "../../test/plan-of.ts";
import { commitOf } from "./commit.ts";
import type { Plan } from "./ir.ts";
import { renderPlan } from "./render/render-plan.ts";

const golden = (name: string): string =>
  readFileSync(new URL(`../../test/golden/${name}`, import.meta.url), "utf8");

/** The plan of the plan specification's worked example, as written there. */
const workedExample = JSON.parse(golden("plan-worked-example.json")) as Plan;

test("the worked example has the commit its specification states (PLAN-012)", () => {
  const stated = "sha256:bc662301b467fe4984fb5126f474d4495faf51a4b43985d6280d82754c35a51e";
  expect(workedExample.commit).toBe(stated);
  expect(commitOf(workedExample)).toBe(stated);
});

test("the worked example's dry run is the text its specification shows (PLAN-040)", () => {
  expect(`${renderPlan(workedExample, "pc0")}\n`).toBe(golden("plan-worked-example.txt"));
});

test("only the five hashed members decide the commit (OPS-1, L10, P14)", () => {
  const { summary, ...rest } = workedExample;
  const renamed = { ...rest, name: "another", source: "text", summary };
  expect(commitOf(renamed)).toBe(workedExample.commit);
  const reordered = Object.fromEntries(Object.entries(workedExample).toReversed());
  expect(commitOf(reordered as unknown as Plan)).toBe(workedExample.commit);
});

test("PLAN-032: a changed catalog changes the commit, though the program is the same", () => {
  const catalogs = new Map(
    [...quayExposure.catalogs].map(([id, catalog]) => [id, { ...catalog, digest: "sha256:0" }]),
  );
  const changed = { ...quayExposure, catalogs };
  expect(commitIdOf("Boat", changed)).not.toBe(commitIdOf("Boat"));
  expect(commitIdOf("x = [1]\nx", changed)).toBe(commitIdOf("x = [1]\nx"));
});

test.each([
  ["version", { ...workedExample, version: 2 as 1 }],
  ["nodes", { ...workedExample, nodes: workedExample.nodes.slice(1) }],
  ["edges", { ...workedExample, edges: [] }],
  ["topological_order", { ...workedExample, topological_order: ["n2", "n1", "n3", "n4", "n5"] }],
  ["returns", { ...workedExample, returns: workedExample.returns.toReversed() }],
])("a change of %s changes the commit (L9)", (_, changed) => {
  expect(commitOf(changed)).not.toBe(workedExample.commit);
});
