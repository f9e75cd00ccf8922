import { expect, it } from "vitest";
import { boatsApi } from "../testing/boats-api.ts";
import { agentOn, engineOn } from "../testing/engine-on.ts";
import { holdRequests } from "../testing/hold-requests.ts";
import { memoryStore } from "../testing/memory-store.ts";
import { waitingOperations } from "./unfinished.ts";

const LEASE_MS = 30_000;

it("OPS-31 tells what nobody runs, and when the next lease may lapse", async () => {
  const store = memoryStore();
  const api = boatsApi(3);
  const engine = engineOn({ store, api, leaseMs: LEASE_MS });
  expect(await waitingOperations(store)).toEqual({ places: [], suspects: [], nextMs: null });
  const agent = await agentOn(engine);
  const { reached, letGo } = holdRequests(api, "reads");
  await agent.run('Boat("b1")[id]', { wait: false });
  await reached;
  store.advance(10_000);
  expect(await waitingOperations(store)).toEqual({
    places: [],
    suspects: [],
    nextMs: LEASE_MS - 10_000,
  });
  store.advance(20_000);
  const { places, suspects, nextMs } = await waitingOperations(store);
  expect([places.length, suspects.length, nextMs]).toEqual([0, 1, null]);
  letGo();
  await engine.close();
});
