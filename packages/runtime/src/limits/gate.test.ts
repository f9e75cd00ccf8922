import { expect, it } from "vitest";
import { createRatePauses, pausesOfRun } from "./gate.ts";

it.each([
  ["60 s hold for the other runs of a tenant, too", 60_000, 60_000],
  ["more than 60 s hold for the run that was told alone", 60_001, 0],
])("RUN-025 18.12 pauses of %s", (_says, ms, forOthers) => {
  const now = (): number => 5_000;
  const shared = createRatePauses();
  const [told, other] = [pausesOfRun(shared, now), pausesOfRun(shared, now)];
  told.set("host", now() + ms);
  expect(told.until("host") - now()).toBe(ms);
  expect(Math.max(0, other.until("host") - now())).toBe(forOthers);
  expect(other.until("elsewhere")).toBe(0);
});
