import { describe, expect, it, vi } from "vitest";
import type { OperationPlace } from "../ports.ts";
import { memoryStore } from "../testing/memory-store.ts";
import { beginCall, cancelCall } from "./cancel-call.ts";

/** Processes on one store, whose queues bring news to all of them, or to none. */
function processes(count: number, newsArrive = true) {
  const store = memoryStore();
  const listeners = new Map<string, Set<() => void>>();
  const heardOf = (place: OperationPlace): Set<() => void> => {
    const name = JSON.stringify(place);
    const all = listeners.get(name) ?? new Set();
    listeners.set(name, all);
    return all;
  };
  const queue = {
    work: () => undefined,
    submit: async () => undefined,
    announce: (place: OperationPlace) => {
      if (newsArrive) for (const heard of heardOf(place)) heard();
    },
    listen: (place: OperationPlace, heard: () => void) => {
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
