import { afterEach, describe, expect, it } from "vitest";
import type { Engine } from "../../engine.ts";
import { boatsApi } from "../../../test/boats-api.ts";
import { agentOn, engineOn } from "../../../test/engine-on.ts";
import { testStore } from "../../../test/test-store.ts";

const LEASE_MS = 300;
const LIFETIME_MS = 500;

let engine: Engine;
afterEach(() => engine.close());

describe("F7 SESS-11: a running operation pins its session, and its end renews it", () => {
  it("though nobody asks for longer than a session lives", async () => {
    const store = testStore();
    const api = boatsApi();
    let letGo: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    api.before = async () => {
      await held;
      return null;
    };
    engine = engineOn({ store, api, leaseMs: LEASE_MS, sessionLifetimeMs: LIFETIME_MS });
    const agent = await agentOn(engine);
    await agent.run('Boat("b1")[id]', { wait: false });
    const operation = async () => (await store.list("operation", "anonymous", ""))[0]?.value;
    const lives = async (): Promise<number> => {
      const found = await operation();
      const session = found && (await store.session("anonymous", found.session));
      return (session?.expiresAt ?? 0) - store.now();
    };
    for (let passed = 0; passed < 2 * LIFETIME_MS; passed += 200) {
      store.advance(200);
      await expect.poll(lives, { timeout: 20_000, interval: 10 }).toBe(LIFETIME_MS);
    }
    store.advance(200);
    letGo();
    await expect.poll(async () => (await operation())?.state).toBe("succeeded");
    await expect.poll(lives).toBe(LIFETIME_MS);
    expect((await agent.run("wait(s0_o1)")).text).toContain("b1");
  });
});
