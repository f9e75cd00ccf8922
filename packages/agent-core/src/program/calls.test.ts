import { describe, expect, it, vi } from "vitest";
import type { OperationKey } from "../ports.ts";
import { testStore } from "../../test/test-store.ts";
import { beginCall, cancelCall } from "./calls.ts";
import { agentOn, engineOn } from "../../test/engine-on.ts";
import { holdRequests } from "../../test/hold-requests.ts";
import { useWorld } from "../../test/use-world.ts";

/** Processes on one store, whose queues bring news to all of them, or to none. */
function processes(count: number, newsArrive = true) {
  const store = testStore();
  const listeners = new Map<string, Set<() => void>>();
  const heardOf = (place: OperationKey): Set<() => void> => {
    const name = JSON.stringify(place);
    const all = listeners.get(name) ?? new Set();
    listeners.set(name, all);
    return all;
  };
  const queue = {
    work: () => undefined,
    submit: async () => undefined,
    announce: (place: OperationKey) => {
      if (newsArrive) for (const heard of heardOf(place)) heard();
    },
    listen: (place: OperationKey, heard: () => void) => {
      heardOf(place).add(heard);
      return () => void heardOf(place).delete(heard);
    },
    rest: async () => undefined,
    stop: async () => undefined,
  };
  const warn = vi.fn<(what: string) => void>();
  const one = { store, queue, warn };
  const look = (): void => {
    for (const all of listeners.values()) for (const heard of all) heard();
  };
  return { deps: Array.from({ length: count }, () => one), store, look };
}

const CALL = { connection: "c1", call: "7" };

describe("OPS-11 F25 a call is cancelled in whichever process the cancel arrives", () => {
  it("and no other one of the connection, nor of another", async () => {
    const { deps } = processes(2);
    const [a, b] = deps;
    if (a === undefined || b === undefined) throw new Error("two processes");
    const mine = beginCall(a, CALL);
    const others = [
      beginCall(a, { ...CALL, call: "8" }),
      beginCall(b, { ...CALL, connection: "c2" }),
    ];
    await cancelCall(b, CALL);
    await expect.poll(() => mine.signal.aborted).toBe(true);
    expect(others.map(({ signal }) => signal.aborted)).toEqual([false, false]);
  });

  it("also when news of it is lost, at the next look", async () => {
    const { deps, look } = processes(1, false);
    const [a] = deps;
    if (a === undefined) throw new Error("a process");
    const mine = beginCall(a, CALL);
    await cancelCall(a, CALL);
    expect(mine.signal.aborted).toBe(false);
    look();
    await expect.poll(() => mine.signal.aborted).toBe(true);
  });

  it("a call that begins long after a cancel of its name is another one", async () => {
    const { deps, store, look } = processes(1);
    const [a] = deps;
    if (a === undefined) throw new Error("a process");
    await cancelCall(a, CALL);
    store.advance(60_000);
    const later = beginCall(a, CALL);
    look();
    await cancelCall(a, { ...CALL, call: "8" });
    expect(later.signal.aborted).toBe(false);
  });

  it("what a connection remembers of cancels is bounded, and nothing else of it is lost", async () => {
    const { deps, store } = processes(1);
    const [a] = deps;
    if (a === undefined) throw new Error("a process");
    const sent = { l1: { sessionId: "e1", waves: 2 } };
    await store.insert("connection", "connections", "c1", { id: "c1", sent, lastUsedAt: 0 });
    for (let n = 0; n < 100; n += 1) await cancelCall(a, { ...CALL, call: String(n) });
    const kept = await store.get("connection", "connections", "c1");
    expect(kept?.value.sent).toEqual(sent);
    expect(kept?.value.cancelled?.map(({ call }) => call)).toHaveLength(32);
    expect(kept?.value.cancelled?.at(-1)?.call).toBe("99");
  });
});

const world = useWorld();

const PINGS = 'Boat("b1").ping()\nBoat("b2").ping()';

describe("an engine that is stopped", () => {
  it("lets a run end within the grace", async () => {
    const { api, engine, agent } = world();
    const { reached, letGo } = holdRequests(api, "writes");
    const run = agent.run(PINGS, { force: true });
    await reached;
    const drained = engine.drain(60_000);
    letGo();
    await drained;
    expect((await run).text).toBe("done ping quay.Boat ×2 b1 b2");
    await engine.close();
  });

  it("then cancels it: the effect in flight is awaited, and the answer is still given", async () => {
    const { store, api, engine, agent } = world();
    const { reached, letGo } = holdRequests(api, "writes");
    const run = agent.run(PINGS, { force: true });
    await reached;
    const drained = engine.drain(1);
    await new Promise((resolve) => setTimeout(resolve, 20));
    letGo();
    await drained;
    const { text } = await run;
    expect(text).toMatch(
      /^failed at n2: cancelled\neffects: 1 done, 1 not started\ndone n1 ping quay\.Boat b1\n/,
    );
    expect(text).toContain("The server was stopped before the run had ended.");
    expect(api.performed).toEqual(["POST /boats/b1/ping"]);
    await engine.close();
    const next = engineOn({ store, api });
    const again = await (await agentOn(next)).run(PINGS, { planCommitRef: "pc0" });
    expect(again.text).toContain(text);
    await next.close();
  });

  it("closes its store only after the last call", async () => {
    const { store, api, engine, agent } = world();
    const { reached, letGo } = holdRequests(api, "reads");
    const order: string[] = [];
    Object.assign(store, { close: async () => void order.push("closed") });
    const run = agent.run("Boat").then(() => order.push("answered"));
    await reached;
    const closed = engine.close();
    letGo();
    await Promise.all([run, closed]);
    expect(order).toEqual(["answered", "closed"]);
  });

  it("takes no new calls, and says that it will be back", async () => {
    const { engine, agent } = world();
    await engine.drain(0);
    const { problem } = await agent.run("Boat");
    expect(problem).toMatchObject({
      code: "plasm-store-unavailable",
      status: 503,
      retryable: true,
    });
    await engine.close();
  });
});
