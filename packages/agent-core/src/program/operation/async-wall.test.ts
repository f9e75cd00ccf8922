import { expect, it } from "vitest";
import type { Policy } from "@plasm/core";
import { boatsApi } from "../../../test/boats-api.ts";
import { agentOn, engineOn } from "../../../test/engine-on.ts";
import { testStore } from "../../../test/test-store.ts";

/** The wall time that an accepted run is given, in seconds. */
async function wallOf(policy: Policy): Promise<number | undefined> {
  const store = testStore();
  const engine = engineOn({ store, api: boatsApi(), policy });
  const agent = await agentOn(engine);
  await agent.run("Boat.limit(1)[id]", { wait: false });
  const [operation] = await store.list("operation", "anonymous", "");
  await engine.close();
  return operation?.value.budget.wall;
}

it.each<[string, Policy, number]>([
  ["half an hour, where policy says nothing", {}, 1_800],
  ["the same, whatever else policy bounds", { budgets: { rows: 10 } }, 1_800],
  ["less, where policy lowers it", { budgets: { wall: 60 } }, 60],
  ["more, where policy raises it", { budgets: { wall: 7_200 } }, 7_200],
])("RUN-130 PLAN-050 a run that nobody waits for has %s", async (_, policy, wall) => {
  expect(await wallOf(policy)).toBe(wall);
});
