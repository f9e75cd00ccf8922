import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Engine } from "../../engine.ts";
import type { Store } from "../../store-port.ts";
import { boatsApi, type BoatsApi } from "../../../test/boats-api.ts";
import { type Agent, agentOn, engineOn } from "../../../test/engine-on.ts";
import { holdRequests } from "../../../test/hold-requests.ts";
import { testStore } from "../../../test/test-store.ts";
import type { MemoryStore } from "../../memory-store/memory-store.ts";

const LEASE_MS = 30_000;
const PROGRAM = `Boat("b1").ping()
Boat("b2").ping()
Boat("b3").ping()`;
const PINGS = ["POST /boats/b1/ping", "POST /boats/b2/ping", "POST /boats/b3/ping"];

let store: MemoryStore;
let api: BoatsApi;
const engines: Engine[] = [];
beforeEach(() => {
  store = testStore();
  api = boatsApi(5);
});
afterEach(async () => {
  for (const engine of engines.splice(0)) await engine.close();
});

function start(on: Store = store): Engine {
  const engine = engineOn({ store: on, api, leaseMs: LEASE_MS });
  engines.push(engine);
  return engine;
}

class Away extends Error {
  override readonly name = "StoreUnavailableError";
}

/** A store that is away from when so many effects are done until it is back. */
function awayAfter(doneEffects: number): { readonly store: Store; readonly back: () => void } {
  return awayWhen(async () => {
    const effects = await store.list("effect", "anonymous", "");
    return effects.filter(({ value }) => value.status === "done").length >= doneEffects;
  });
}

/** A store that is away from when something is so until it is back. */
function awayWhen(isTime: () => boolean | Promise<boolean>): {
  readonly store: Store;
  readonly back: () => void;
} {
  let state: "there" | "away" | "back" = "there";
  const look = async (): Promise<void> => {
    if (state === "there" && (await isTime())) state = "away";
  };
  const away = new Proxy(store, {
    get: (target, name: keyof MemoryStore) => {
      const method = target[name] as (...args: unknown[]) => unknown;
      if (method === undefined || name === "now" || name === "close") return method;
      return async (...args: unknown[]) => {
        await look();
        if (state === "away") throw new Away();
        return method(...args);
      };
    },
  });
  return { store: away, back: () => void (state = "back") };
}

const send = (agent: Agent) => agent.run(PROGRAM, { planCommitRef: "pc0", wait: true });

async function unkeptAfter(doneEffects: number) {
  const { store: away, back } = awayAfter(doneEffects);
  const agent = await agentOn(start(away));
  await agent.plan(PROGRAM);
  const told = await send(agent);
  return { agent, told, back };
}

const withoutNote = ({ text }: { readonly text: string }): string =>
  text.replace(/\nnote: .*$/, "");

describe("a run whose end the store refuses (OPS-12, OPS-31, PLAN-072)", () => {
  it("claims of nothing that it will not happen, and says how to learn its end", async () => {
    const { told } = await unkeptAfter(1);
    expect(told.text).toBe(`failed: how this run ended could not be kept
effects: 1 done, 2 in doubt
done n1 ping quay.Boat b1
in doubt n2 ping quay.Boat b2
in doubt n3 ping quay.Boat b3
The store cannot be written now. Another process may go on with this run.
fix: send the same program with plan_commit_ref=pc0 until it tells how the run ended; before that plan none of it again`);
    expect(told.problem).toMatchObject({
      code: "plasm-store-unavailable",
      status: 503,
      retryable: false,
    });
    expect(told.meta["effects"]).toMatchObject([
      { seq: 1, status: "done" },
      { seq: 2, status: "in_doubt" },
      { seq: 3, status: "in_doubt" },
    ]);
    expect(api.performed).toEqual(PINGS.slice(0, 1));
  });

  it("goes on in another process, each effect once; the first one then tells the same", async () => {
    const { agent, back } = await unkeptAfter(1);
    const there = await agentOn(start());
    store.advance(LEASE_MS);
    const told = await send(there);
    expect(told.text).toContain("done ping quay.Boat ×3 b1 b2 b3\n");
    expect(told.problem).toBe(null);
    expect(api.performed).toEqual(PINGS);
    back();
    expect(withoutNote(await send(agent))).toBe(withoutNote(told));
    expect(api.performed).toEqual(PINGS);
  });

  it("18.3 goes on in its own process when the store is back, each effect once", async () => {
    const { agent, back } = await unkeptAfter(1);
    back();
    store.advance(LEASE_MS);
    const told = await send(agent);
    expect(told.problem).toBeNull();
    expect(told.text).toContain("done ping quay.Boat ×3 b1 b2 b3\n");
    const there = await agentOn(start());
    expect(withoutNote(await send(there))).toBe(withoutNote(told));
    expect(api.performed).toEqual(PINGS);
  });

  it.each([
    ["n1", 1],
    ["n2", 2],
    ["n3", 3],
  ] as const)(
    "18.3 knows that %s was done though the store refused that, and goes on behind it",
    async (_node, performed) => {
      const { store: away, back } = awayWhen(() => api.performed.length >= performed);
      const agent = await agentOn(start(away));
      await agent.plan(PROGRAM);
      expect((await send(agent)).problem).toMatchObject({ code: "plasm-store-unavailable" });
      expect(api.performed).toEqual(PINGS.slice(0, performed));
      back();
      store.advance(LEASE_MS);
      const told = await send(agent);
      expect(told.problem).toBeNull();
      expect(told.text).toContain("done ping quay.Boat ×3 b1 b2 b3\n");
      expect(api.performed).toEqual(PINGS);
    },
  );

  it("is told as it was by nobody once another process has gone on", async () => {
    const { agent, back } = await unkeptAfter(1);
    const second = awayAfter(2);
    const there = await agentOn(start(second.store));
    store.advance(LEASE_MS);
    expect((await send(there)).problem).toMatchObject({ code: "plasm-store-unavailable" });
    expect(api.performed).toEqual(PINGS.slice(0, 2));
    back();
    store.advance(LEASE_MS);
    const told = await send(agent);
    // By then its wall time is over.
    expect(told.text).toContain("effects: 2 done, 1 not started\ndone n1 ping");
    expect(api.performed).toEqual(PINGS.slice(0, 2));
  });

  it("tells its answer where nothing is left to go on with", async () => {
    const { agent, told, back } = await unkeptAfter(3);
    expect(told.text).toContain("done ping quay.Boat ×3 b1 b2 b3");
    expect(told.text).not.toContain("doubt");
    back();
    store.advance(LEASE_MS);
    expect((await send(agent)).text).toContain("done ping quay.Boat ×3 b1 b2 b3\n");
    expect(api.performed).toEqual(PINGS);
  });
});

describe("an owner that was held up between its effects (OPS-12, OPS-31, F15)", () => {
  const BETWEEN = `Boat("b1").ping()
x = Boat("b4")
Boat("b2").update(note=x.name)`;

  it("tells its caller what the process tells that went on, and sends nothing", async () => {
    const agent = await agentOn(start());
    await agent.plan(BETWEEN);
    const run = (one: Agent) => one.run(BETWEEN, { planCommitRef: "pc0", wait: true });
    const { reached, letGo } = holdRequests(api, "reads");
    const late = run(agent);
    await reached;
    api.before = async () => null;
    const there = await agentOn(start());
    store.advance(LEASE_MS);
    const told = await run(there);
    expect(told.text).toMatch(/\ndone ping quay\.Boat b1\ndone update quay\.Boat b2/);
    letGo();
    expect(withoutNote(await late)).toBe(withoutNote(told));
    expect(api.performed).toEqual(["POST /boats/b1/ping", "PATCH /boats/b2"]);
  });
});
