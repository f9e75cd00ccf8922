import { beforeAll, expect, test } from "vitest";
import { ECONOMY_TASKS } from "./economy-tasks.ts";
import type { Facts } from "./economy-task.ts";
import { economyTable, measureEconomy, type TaskCost, wasteful } from "./measure-economy.ts";

let costs: readonly TaskCost[];
let facts: Facts;

beforeAll(async () => {
  ({ costs, facts } = await measureEconomy(ECONOMY_TASKS));
});

test("no task sends more than the least, and the hydration its program needs (RUN-057, RUN-058)", () => {
  expect(costs.length).toBeGreaterThanOrEqual(12);
  expect(wasteful(costs)).toEqual([]);
});

test("nor less: then its least would not be the least", () => {
  const under = costs.filter(({ sent, least, hydration }) => sent < least + hydration);
  expect(under).toEqual([]);
});

test("each task gives all the rows it asks for", () => {
  const given = costs.map(({ name, rows }) => [name, rows]);
  const expected = ECONOMY_TASKS.map(({ name, rows }) => [name, rows(facts)]);
  expect(given).toEqual(expected);
});

test("one get a row costs more wherever there are rows", () => {
  const cheaper = costs.filter(({ sent, one_get_per_row }) => one_get_per_row < sent);
  expect(cheaper).toEqual([]);
});

test("a task that wastes is found", async () => {
  const [first] = ECONOMY_TASKS;
  const planted = {
    ...first,
    program: "Boat.limit(20)[id, note]",
  } as (typeof ECONOMY_TASKS)[number];
  const measured = await measureEconomy([planted]);
  expect(wasteful(measured.costs).map(({ sent, least }) => [sent, least])).toEqual([[21, 1]]);
});

test("costs are shown one a line", () => {
  expect(economyTable(costs).split("\n")).toHaveLength(costs.length + 1);
});
