import { type Engine, LOCAL } from "@plasm/agent-core";
import type { StoreUnderTest } from "@plasm/agent-core/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { boatsApi } from "../../agent-core/test/boats-api.ts";
import { agentOn, engineOn } from "../../agent-core/test/engine-on.ts";

const MOST = 12;
const POLICY = { quotas: { tenant: { runs: { day: MOST } } } };

/** What processes on one store count together (OPS-52). */
export function quotasContract(name: string, open: () => Promise<StoreUnderTest>): void {
  describe(`quotas contract: ${name}`, () => {
    let under: StoreUnderTest;
    let engines: readonly Engine[];
    beforeEach(async () => {
      under = await open();
      under.setNow(1_800_000_000_000);
      const store = { ...under.store, close: async () => undefined };
      engines = [1, 2].map(() => engineOn({ store, api: boatsApi(3), policy: POLICY }));
    });
    afterEach(async () => {
      await Promise.all(engines.map((engine) => engine.close()));
      await under.dispose();
    });

    it("OPS-52 two processes that add at once lose no count, and then refuse alike", async () => {
      const agents = await Promise.all(engines.map((engine, n) => agentOn(engine, `boats ${n}`)));
      for (let round = 0; round < 3; round += 1) {
        for (const agent of agents) {
          const told = await Promise.all([agent.run("Boat[id]"), agent.run("Boat[id]")]);
          expect(told.map(({ problem }) => problem)).toEqual([null, null]);
        }
      }
      const counted = async () =>
        (await under.store.get("quota", LOCAL.scope, "tenant"))?.value.day.used.runs;
      await expect.poll(counted, { timeout: 10_000 }).toBe(MOST);
      for (const agent of agents) {
        const { problem } = await agent.run("Boat[id]");
        expect(problem?.code).toBe("plasm-quota-exceeded");
      }
    });
  });
}
