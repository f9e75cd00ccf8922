import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Engine } from "../../engine.ts";
import type { Store } from "../../store-port.ts";
import { boatsApi, type BoatsApi } from "../../../test/boats-api.ts";
import { type Agent, agentOn, engineOn } from "../../../test/engine-on.ts";
import { testStore } from "../../../test/test-store.ts";

const READ = "Boat.limit(2)[id]";
const EFFECT = 'Boat("b1").update(note="oiled")';

let api: BoatsApi;
let engine: Engine;
let agent: Agent;
/** What a transaction waits for. */
let gate: () => Promise<void>;

beforeEach(async () => {
  const store = testStore();
  api = boatsApi();
  gate = async () => undefined;
  const gated: Store = {
    ...store,
    transaction: async (work) => {
      await gate();
      return store.transaction(work);
    },
  };
  engine = engineOn({ store: gated, api });
  agent = await agentOn(engine);
});
afterEach(async () => {
  gate = async () => undefined;
  await engine.close();
});

/** Holds up all transactions; the function it gives lets them go. */
function hold(): () => void {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  gate = () => released;
  return release;
}

describe("the ref of a run", () => {
  it("of reads is minted while they are made, and stands in the answer (OPS-3)", async () => {
    const before = api.asked.length;
    const release = hold();
    const running = agent.run(READ);
    await expect.poll(() => api.asked.length).toBe(before + 1);
    release();
    const { problem, meta } = await running;
    expect(problem).toBeNull();
    expect(meta["plan_commit_ref"]).toBe("pc0");
    expect((await agent.plan(READ)).meta["plan_commit_ref"]).toBe("pc0");
  });

  it("that cannot be minted fails the run when it is over", async () => {
    const before = api.asked.length;
    gate = () =>
      Promise.reject(Object.assign(new Error("full"), { name: "StoreUnavailableError" }));
    const { problem } = await agent.run(READ);
    expect(problem?.code).toBe("plasm-store-unavailable");
    expect(api.asked.length).toBe(before + 1);
  });

  it("of effects is minted before anything is sent", async () => {
    const before = api.asked.length;
    gate = () =>
      Promise.reject(Object.assign(new Error("full"), { name: "StoreUnavailableError" }));
    const { problem } = await agent.run(EFFECT, { force: true });
    expect(problem?.code).toBe("plasm-store-unavailable");
    expect(api.asked.length).toBe(before);
  });
});
