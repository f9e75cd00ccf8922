import { setTimeout as delay } from "node:timers/promises";
import { expect, it } from "vitest";
import { LOCAL } from "../../identity/caller.ts";
import { boatsApi } from "../../../test/boats-api.ts";
import { agentOn, engineOn } from "../../../test/engine-on.ts";
import { testStore } from "../../../test/test-store.ts";

it("18.12 six requests go to a host at once, of all runs of a tenant; another tenant has its own six", async () => {
  const api = boatsApi(40);
  let open = 0;
  let most = 0;
  api.before = async () => {
    most = Math.max(most, ++open);
    await delay(2);
    open -= 1;
    return null;
  };
  const engine = engineOn({ store: testStore(), api });
  const crowd = async (tenant: string): Promise<void> => {
    const agent = await agentOn(engine, "boats", { ...LOCAL, scope: tenant });
    const runs = Array.from({ length: 20 }, (_, n) => agent.run(`Boat("b${n + 1}")[id, name]`));
    for (const { problem } of await Promise.all(runs)) expect(problem).toBeNull();
  };
  await crowd("acme");
  expect(most).toBe(6);
  most = 0;
  await Promise.all([crowd("acme"), crowd("bolt")]);
  expect(most).toBeGreaterThan(6);
  expect(most).toBeLessThanOrEqual(12);
  await engine.close();
});
