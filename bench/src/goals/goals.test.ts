import { tokenCounter } from "@plasm/agent-core/internal";
import type { Catalog } from "@plasm/core";
import { beforeAll, expect, test } from "vitest";
import { controlCatalogs, goalCatalogs } from "./goal-catalogs.ts";
import {
  type GoalFigures,
  measureGoals,
  meetsEqually,
  namedEntities,
  readGoals,
  readGoalsOfSeveral,
  sumOf,
  taughtOf,
} from "./measure-goals.ts";

let catalogs: readonly Catalog[];
let figures: GoalFigures;

beforeAll(async () => {
  catalogs = await goalCatalogs();
  const { seen, unseen } = measureGoals(catalogs, await tokenCounter());
  figures = sumOf(seen, unseen);
}, 120_000);

test("600 goals on 40 catalogs, each told once, name entities that exist", () => {
  const goals = readGoals();
  expect(catalogs).toHaveLength(40);
  expect(goals.length).toBeGreaterThanOrEqual(600);
  expect(new Set(goals.map(({ text }) => text)).size).toBe(goals.length);
  const known = new Set(
    catalogs.flatMap(({ entryId, cgs }) =>
      [...cgs.entities.keys()].map((each) => `${entryId}:${each}`),
    ),
  );
  const several = readGoalsOfSeveral();
  const named = [...goals, ...several].flatMap(({ needs, alike }) => [...needs.flat(), ...alike]);
  expect(named.filter((name) => !known.has(name))).toEqual([]);
});

test("goals of the control name entities that exist, of APIs that no other goal is about", async () => {
  const control = await controlCatalogs();
  const known = new Set(
    control.flatMap(({ entryId, cgs }) =>
      [...cgs.entities.keys()].map((each) => `${entryId}:${each}`),
    ),
  );
  const goals = readGoals("control");
  expect(goals.length).toBeGreaterThanOrEqual(50);
  expect(goals.flatMap(({ needs }) => needs.flat()).filter((name) => !known.has(name))).toEqual([]);
  const ids = new Set(catalogs.map(({ entryId }) => entryId));
  expect(control.filter(({ entryId }) => ids.has(entryId))).toEqual([]);
});

test("with its API named, a goal is answered, 95 of 100 with all it needs (TEACH-49)", () => {
  expect(figures.silent_named).toBe(0);
  expect(figures.found_named / figures.goals).toBeGreaterThanOrEqual(0.95);
});

test("without, 77 of 100, 80 with what means the same, and at most one of four goals about nothing here gets an answer (TEACH-48, TEACH-51)", () => {
  expect(figures.found / figures.goals).toBeGreaterThanOrEqual(0.77);
  expect(figures.found_or_alike / figures.goals).toBeGreaterThanOrEqual(0.8);
  expect(figures.found_or_equal).toBeGreaterThanOrEqual(figures.found_or_alike);
  expect(figures.silent / figures.goals).toBeLessThanOrEqual(0.05);
  expect(figures.false_answers / figures.foreign).toBeLessThanOrEqual(0.25);
});

test("an answer tells what is needed in 99 of 100 with the API named, in 88 without; what a goal alone is taught and told, in 99 and 86 (TEACH-59, TEACH-60, TEACH-62)", () => {
  expect(figures.told_named / figures.goals).toBeGreaterThanOrEqual(0.99);
  expect(figures.told / figures.goals).toBeGreaterThanOrEqual(0.88);
  expect(figures.offered_named / figures.goals).toBeGreaterThanOrEqual(0.99);
  expect(figures.offered / figures.goals).toBeGreaterThanOrEqual(0.86);
});

test("tables of a goal alone take the budget they are chosen for, but for 3 of 100 (TEACH-47)", () => {
  expect(figures.over_budget / (2 * figures.goals)).toBeLessThanOrEqual(0.03);
  expect(figures.tokens_named / figures.goals).toBeLessThanOrEqual(415);
  expect(figures.tokens / figures.goals).toBeLessThanOrEqual(628);
});

test("a goal alone is taught what it needs in 84 of 100 with its API named, in 62 without (TEACH-54)", () => {
  expect(figures.taught_named / figures.goals).toBeGreaterThanOrEqual(0.84);
  expect(figures.taught / figures.goals).toBeGreaterThanOrEqual(0.62);
});

test("a goal that speaks of several things is taught all of them in 9 of 10 (TEACH-58)", () => {
  const several = readGoalsOfSeveral();
  expect(several.length).toBeGreaterThanOrEqual(30);
  expect(taughtOf(several, catalogs) / several.length).toBeGreaterThanOrEqual(0.9);
});

test("another catalog is equally right with an entity of the same name that can do as much (TEACH-55)", () => {
  const entities = namedEntities(catalogs);
  const equally = (accepted: string, found: string): boolean =>
    meetsEqually({ needs: [[accepted]] }, [found], entities);
  expect(equally("stripe:Customer", "ecommerce:EcommerceCustomer")).toBe(false);
  expect(equally("ecommerce:EcommerceCustomer", "stripe:Customer")).toBe(true);
  expect(equally("slicebox:Source", "airbyte:Source")).toBe(true);
  expect(equally("notion:Comment", "github:Review")).toBe(false);
});
