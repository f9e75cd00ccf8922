import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Engine } from "../engine.ts";
import { LOCAL } from "../identity/caller.ts";
import type { Store, StoreOps } from "../store-port.ts";
import { boatsApi, type BoatsApi } from "../../test/boats-api.ts";
import { agentOn, engineOn } from "../../test/engine-on.ts";
import { holdRequests } from "../../test/hold-requests.ts";
import { testStore } from "../../test/test-store.ts";
import type { MemoryStore } from "../memory-store/memory-store.ts";

const PERSON = { intent: "boats", seeds: [{ api: "quay", entity: "Person" }] };

let store: MemoryStore;
let api: BoatsApi;
const engines: Engine[] = [];
beforeEach(() => {
  store = testStore();
  api = boatsApi();
});
afterEach(async () => {
  for (const engine of engines.splice(0)) await engine.close();
});

function start(on: Store = store): Engine {
  const engine = engineOn({ store: on, api });
  engines.push(engine);
  return engine;
}

/** The same store, on which so many appends come too late; `appends` counts them all. */
function contended(conflicts: number): { readonly on: Store; readonly appends: () => number } {
  let appends = 0;
  const on: Store = {
    ...store,
    transaction: (work) =>
      store.transaction((tx) =>
        work({
          ...tx,
          appendWaves: async (key, length, waves) => {
            appends += 1;
            return appends <= conflicts ? "conflict" : tx.appendWaves(key, length, waves);
          },
        }),
      ),
  };
  return { on, appends: () => appends };
}

describe("SESS-34 an append that comes too late", () => {
  it.each([1, 5])("is made again from what is there now, %d times", async (conflicts) => {
    await agentOn(start());
    const { on, appends } = contended(conflicts);
    const { meta } = await start(on).context(LOCAL, PERSON);
    expect([meta["domain_revision"], appends()]).toEqual([2, conflicts + 1]);
  });

  it("is given up after five retries: plasm-busy, retryable, nothing changed", async () => {
    await agentOn(start());
    const { on, appends } = contended(6);
    const engine = start(on);
    const busy = await engine.context(LOCAL, PERSON).catch((thrown: unknown) => thrown);
    expect(engine.problemOf(busy)).toMatchObject({ code: "plasm-busy", retryable: true });
    expect(appends()).toBe(6);
    const { meta } = await engine.context(LOCAL, PERSON);
    expect(meta["domain_revision"]).toBe(2);
  });
});

describe("SESS-34 nobody waits for the network", () => {
  it("no request is sent while a transaction is open", async () => {
    let open = 0;
    const counted: Store = {
      ...store,
      transaction: async <T>(work: (tx: StoreOps) => Promise<T>) => {
        try {
          return await store.transaction((tx) => {
            open += 1;
            return work(tx);
          });
        } finally {
          open -= 1;
        }
      },
    };
    const seen: number[] = [];
    api.before = async () => {
      seen.push(open);
      return null;
    };
    const agent = await agentOn(start(counted));
    await agent.run("few = Boat.limit(2)\nfew => Boat(_.id).ping()", { force: true, wait: true });
    await agent.run("Boat.page_size(1)[id]");
    expect(seen.length).toBeGreaterThan(3);
    expect(new Set(seen)).toEqual(new Set([0]));
  });

  it("a run that goes on blocks no other call of its session", async () => {
    const engine = start();
    const agent = await agentOn(engine);
    const held = holdRequests(api, "reads");
    await agent.run('Boat("b1")[id]', { wait: false });
    await held.reached;
    expect((await agent.plan("Boat.limit(1)[id]")).problem).toBeNull();
    expect((await engine.context(LOCAL, PERSON)).meta["domain_revision"]).toBe(2);
    held.letGo();
    expect((await agent.run("wait(s0_o1)", { wait: true })).text).toContain("b1");
  });
});
