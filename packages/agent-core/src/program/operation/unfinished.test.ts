import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { OperationKey, OperationQueue } from "../../ports.ts";
import type { RecordTypes } from "../../store-port.ts";
import { testStore } from "../../../test/test-store.ts";
import type { MemoryStore } from "../../memory-store/memory-store.ts";
import { OrphanScanner, noteStarted, waitingOperations } from "./unfinished.ts";
import { boatsApi } from "../../../test/boats-api.ts";
import { agentOn, engineOn } from "../../../test/engine-on.ts";
import { holdRequests } from "../../../test/hold-requests.ts";

const EVERY_MS = 3_600_000;
const a: OperationKey = { scope: "t1", id: "l1/o1" };
const b: OperationKey = { scope: "t1", id: "l1/o2" };

/** A queue of which the test sees what happens to it. */
function queueThatTells(told: string[]): OperationQueue {
  return {
    work: () => undefined,
    submit: async ({ id }) => void told.push(id),
    rest: async () => void told.push("rests"),
    announce: () => undefined,
    listen: () => () => undefined,
    stop: async () => undefined,
  };
}

let store: MemoryStore;
let told: string[];
let warned: string[];
let leftovers: OrphanScanner;
beforeEach(() => {
  vi.useFakeTimers();
  store = testStore();
  [told, warned] = [[], []];
  const queue = queueThatTells(told);
  leftovers = new OrphanScanner({
    store,
    queue,
    everyMs: EVERY_MS,
    warn: (what) => warned.push(what),
  });
});
afterEach(() => vi.useRealTimers());

/** An operation of which nothing matters but who has it, and until when. */
async function leave(place: OperationKey, leaseUntil: number | null = null): Promise<void> {
  const state = leaseUntil === null ? "accepted" : "running";
  const record = {
    owner: "another",
    state,
    leaseUntil: leaseUntil ?? 0,
  } as RecordTypes["operation"];
  await store.insert("operation", place.scope, place.id, record);
  await noteStarted(store, place);
}

async function pass(ms: number): Promise<void> {
  store.advance(ms);
  await vi.advanceTimersByTimeAsync(ms);
}

describe("OPS-31, OPS-39: what others have left is handed over", () => {
  it("when it starts, and every so often", async () => {
    await leave(a);
    leftovers.start();
    await pass(0);
    expect(told).toEqual([a.id]);
    await store.delete("operation", a.scope, a.id);
    await leave(b);
    await pass(EVERY_MS - 1);
    expect(told).toEqual([a.id]);
    await pass(1);
    expect(told).toEqual([a.id, b.id]);
  });

  it("when a lease may have lapsed, however seldom it looks else", async () => {
    await leave(a, store.now() + 1_000);
    leftovers.start();
    await pass(999);
    expect(told).toEqual([]);
    await pass(1);
    expect(told).toEqual([a.id]);
  });

  it("after a look that failed, too, and that is said", async () => {
    const { list } = store;
    store.list = () => Promise.reject(new Error("no disk"));
    await leave(a);
    leftovers.start();
    await pass(0);
    expect(warned).toEqual(["Abandoned operations could not be looked for"]);
    store.list = list;
    await pass(EVERY_MS);
    expect(told).toEqual([a.id]);
  });

  it("at the end once more, when the queue has come to rest; then no more", async () => {
    leftovers.start();
    await pass(0);
    await leave(a);
    await Promise.all([leftovers.end(), leftovers.end()]);
    expect(told).toEqual(["rests", a.id]);
    await pass(2 * EVERY_MS);
    expect(told).toEqual(["rests", a.id]);
  });
});

const LEASE_MS = 30_000;

it("OPS-31 tells what nobody runs, and when the next lease may lapse", async () => {
  // A run gives the event loop its turns, which no fake timer goes on with.
  vi.useRealTimers();
  const store = testStore();
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
