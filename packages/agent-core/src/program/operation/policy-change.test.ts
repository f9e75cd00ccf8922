import type { Policy } from "@plasm/core";
import { afterEach, expect, test } from "vitest";
import type { Engine } from "../../engine.ts";
import { boatsApi } from "../../../test/boats-api.ts";
import { agentOn, engineOn } from "../../../test/engine-on.ts";
import { testStore } from "../../../test/test-store.ts";

const LEASE_MS = 30_000;
const engines: Engine[] = [];
const sleepers: (() => void)[] = [];
afterEach(async () => {
  for (const wake of sleepers.splice(0)) wake();
  for (const engine of engines.splice(0)) await engine.close();
});

/** Long work whose process stands still before its first answer, on a store that others take it up from. */
async function standing() {
  const [store, api] = [testStore(), boatsApi(3)];
  const start = (policy: Policy): Engine => {
    const engine = engineOn({ store, api, leaseMs: LEASE_MS, policy });
    engines.push(engine);
    return engine;
  };
  const asleep = new Promise<void>((resolve) => sleepers.push(resolve));
  let requests = 0;
  const reached = new Promise<void>((resolve) => {
    api.before = async () => {
      requests += 1;
      resolve();
      if (requests === 1) await asleep;
      return null;
    };
  });
  const agent = await agentOn(start({}));
  const { text } = await agent.run("Boat.limit(2)[id]", { force: true, wait: false });
  expect(text).toContain("wait(s0_o1)");
  await reached;
  store.advance(LEASE_MS);
  const stateOf = async () => {
    const [name] = await store.list("number", "anonymous", "");
    const id = name?.value.operation ?? "";
    return (await store.get("operation", "anonymous", id))?.value.state;
  };
  return { start, stateOf, requests: () => requests };
}

test.each<[string, Policy]>([
  ["its capability is denied", { apis: { quay: { deny: ["boat_query"] } } }],
  ["its catalog is forbidden", { apis: { yard: {} } }],
])("SURF-25 F18 an operation is not taken up again once %s", async (_, policy) => {
  const { start, stateOf, requests } = await standing();
  start(policy);
  await expect.poll(stateOf).toBe("failed");
  expect(requests()).toBe(1);
});

test("it is taken up under a policy that still allows it", async () => {
  const { start, stateOf, requests } = await standing();
  start({ apis: { quay: {} } });
  await expect.poll(stateOf).toBe("succeeded");
  expect(requests()).toBeGreaterThan(1);
});
