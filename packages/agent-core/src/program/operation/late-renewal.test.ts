import { expect, it } from "vitest";
import type { Store } from "../../store-port.ts";
import { boatsApi } from "../../../test/boats-api.ts";
import { agentOn, engineOn } from "../../../test/engine-on.ts";
import { holdRequests } from "../../../test/hold-requests.ts";
import { testStore } from "../../../test/test-store.ts";

const LEASE_MS = 150;

/** A store that may tell of a lease that has lapsed, when it was renewed meanwhile. */
function doubtful(store: Store) {
  const told = {
    late: false,
    times: 0,
    store: new Proxy(store, {
      get: (target, name: keyof Store) => {
        if (name !== "get") return target[name];
        return async (...args: Parameters<Store["get"]>) => {
          const found = await target.get(...args);
          if (!told.late || found === null || args[0] !== "operation") return found;
          told.times += 1;
          return { ...found, value: { ...found.value, leaseUntil: 0 } };
        };
      },
    }),
  };
  return told;
}

it("OPS-31 an accepted operation that stopped for its lease goes on, though a late renewal came through", async () => {
  const api = boatsApi(5);
  const told = doubtful(testStore());
  const engine = engineOn({ store: told.store, api, leaseMs: LEASE_MS });
  const agent = await agentOn(engine);
  const { reached, letGo } = holdRequests(api, "reads");
  await agent.run('Boat("b1")[id]', { wait: false });
  await reached;
  told.late = true;
  // As often as its owner and those who look for abandoned operations have looked a few times.
  await expect.poll(() => told.times, { timeout: 10_000 }).toBeGreaterThan(10);
  told.late = false;
  letGo();
  const ended = await agent.run("wait(s0_o1)", { wait: true });
  expect(ended.problem).toBeNull();
  expect(ended.text).toMatch(/^Boat · 1 row/);
  await engine.close();
});
