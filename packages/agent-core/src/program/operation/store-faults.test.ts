import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Engine } from "../../engine.ts";
import type { Store, StoreOps } from "../../store-port.ts";
import { boatsApi, type BoatsApi } from "../../../test/boats-api.ts";
import { type Agent, agentOn, engineOn } from "../../../test/engine-on.ts";
import { testStore } from "../../../test/test-store.ts";
import type { MemoryStore } from "../../memory-store/memory-store.ts";
import { LEASE_MS } from "./lease.ts";

const EFFECTS = "few = Boat.limit(2)\nfew => Boat(_.id).ping()";

class Refused extends Error {
  override readonly name = "StoreUnavailableError";
}

/** Whether the call of this number, from 1, is refused. */
type Refuses = (call: number, name: string) => boolean;

/** The same store, which refuses some of its calls, those within transactions too. */
function refusing(store: Store, refuses: { now: Refuses }, count: { calls: number }): Store {
  const around = <T extends StoreOps>(ops: T): T =>
    new Proxy(ops, {
      get: (target, name: keyof T & string) => {
        const call = target[name];
        if (typeof call !== "function" || name === "now" || name === "close") return call;
        return async (...args: readonly unknown[]) => {
          count.calls += 1;
          if (refuses.now(count.calls, name)) throw new Refused("The disk is full");
          if (name !== "transaction")
            return (call as (...given: readonly unknown[]) => unknown)(...args);
          const [work] = args as readonly [(tx: StoreOps) => Promise<unknown>];
          return store.transaction((tx) => work(around(tx)));
        };
      },
    });
  return around(store);
}

let store: MemoryStore;
let api: BoatsApi;
let engine: Engine;
let agent: Agent;
const refuses: { now: Refuses } = { now: () => false };
const count = { calls: 0 };

beforeEach(async () => {
  refuses.now = () => false;
  store = testStore();
  api = boatsApi();
  engine = engineOn({ store: refusing(store, refuses, count), api });
  agent = await agentOn(engine);
  count.calls = 0;
});
afterEach(async () => {
  refuses.now = () => false;
  await engine.close();
});

/** What one write of the store's each time does to a run: rows with a warning, or 503; never more effects. */
async function refuseFrom(first: number, last: number): Promise<string> {
  await agent.plan(EFFECTS);
  const asked = { planCommitRef: "pc0", wait: true };
  count.calls = 0;
  refuses.now = (call) => call >= first && call <= last;
  const told = await agent.run(EFFECTS, asked);
  refuses.now = () => false;
  const once = [...api.performed];
  expect(new Set(once).size).toBe(once.length);
  // The lease of what nobody ended lapses, and whoever looks next tells how far it came.
  store.advance(LEASE_MS);
  const again = await agent.run(EFFECTS, asked);
  const [...all] = api.performed;
  expect(new Set(all).size, `${told.text}\n${again.text}`).toBe(all.length);
  return told.problem?.code ?? "rows";
}

describe("F2 the store is full or down", () => {
  it("at any one call of a run with effects: rows, or 503; nothing is performed twice", async () => {
    await agent.plan(EFFECTS);
    count.calls = 0;
    await agent.run(EFFECTS, { planCommitRef: "pc0", wait: true });
    const calls = count.calls;
    expect(calls).toBeGreaterThan(10);
    const ends = new Set<string>();
    for (let call = 1; call <= calls; call += 1) {
      await engine.close();
      store = testStore();
      api = boatsApi();
      engine = engineOn({ store: refusing(store, refuses, count), api });
      agent = await agentOn(engine);
      ends.add(await refuseFrom(call, call));
    }
    expect([...ends].toSorted()).toEqual(["plasm-store-unavailable", "rows"]);
  });

  it("from some call on: what was performed is known, and is not performed again", async () => {
    for (const first of [1, 5, 10, 15, 20, 25, 30, 35]) {
      await engine.close();
      store = testStore();
      api = boatsApi();
      engine = engineOn({ store: refusing(store, refuses, count), api });
      agent = await agentOn(engine);
      const end = await refuseFrom(first, Number.POSITIVE_INFINITY);
      expect(["plasm-store-unavailable", "rows"]).toContain(end);
    }
  });

  it("SESS-30 at a snapshot of rows: they are told with a warning, and are read again", async () => {
    refuses.now = (_, name) => name === "putBlob";
    const told = await agent.run("Boat.limit(2)[id]");
    expect(told.problem).toBeNull();
    expect(told.text).toMatch(/b1\nb2\n```\nwarning: the store refused the snapshot/);
    expect(told.meta["steps"]).toMatchObject([{ row_count: 2, artifact_uri: null }]);
  });

  it("at every call: reads and contexts answer 503, and work again after", async () => {
    refuses.now = () => true;
    const seeds = [{ api: "quay", entity: "Boat" }];
    const calls = [
      () => agent.plan("Boat.limit(2)[id]"),
      () => agent.run("Boat.limit(2)[id]"),
      () => agent.run(EFFECTS, { planCommitRef: "pc0" }),
    ];
    for (const call of calls) {
      expect((await call()).problem).toMatchObject({
        code: "plasm-store-unavailable",
        status: 503,
      });
    }
    const context = engine.context(
      { scope: "t", subject: null, connection: null },
      { intent: "x", seeds },
    );
    const code = await context.catch((thrown: unknown) => engine.problemOf(thrown).code);
    expect(code).toBe("plasm-store-unavailable");
    expect(api.performed).toEqual([]);
    refuses.now = () => false;
    expect((await agent.run("Boat.limit(2)[id]")).text).toContain("b2");
  });
});
