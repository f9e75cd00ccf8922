import { expect, test } from "vitest";
import { measureWork, workTable } from "./work.ts";

test("PLAN-053 every kind of local step has a price, the same each time", async () => {
  const prices = await measureWork(200, 1);
  const units = prices.map((price) => price.units);
  expect(Math.min(...units)).toBeGreaterThan(0);
  expect((await measureWork(200, 1)).map((price) => price.units)).toEqual(units);
  expect(workTable(prices).split("\n")).toHaveLength(prices.length);
});
