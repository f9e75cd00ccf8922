import { type EffectEntry, RunStop } from "@plasm/runtime";
import { beforeEach, describe, expect, test } from "vitest";
import type { Store } from "../../store-port.ts";
import type { OperationRecord } from "../../records/operations.ts";
import { testStore } from "../../../test/test-store.ts";
import type { MemoryStore } from "../../memory-store/memory-store.ts";
import { readEffects, storedEffectLog } from "./effect-log.ts";

const PLACE = { scope: "t1", id: "l1/pc0" };
const LEASE_MS = 30_000;

const ENTRY: EffectEntry = {
  seq: 1,
  node: "n1",
  row: null,
  entryId: "quay",
  entity: "Boat",
  capability: "boat_ping",
  label: "ping",
  target: "Boat:b1",
  args: {},
  fingerprint: "f1",
  idempotencyKey: null,
  status: "started",
  startedAt: 1,
  endedAt: null,
  httpStatus: null,
  result: null,
  error: null,
};

let store: MemoryStore;
beforeEach(async () => {
  store = testStore();
  await claim("slept");
});

/** Makes the run an attempt's, as whoever takes it over does. */
async function claim(owner: string): Promise<void> {
  const found = await store.get("operation", PLACE.scope, PLACE.id);
  const leaseUntil = store.now() + LEASE_MS;
  const facts = { owner, leaseUntil, state: "running" } as const;
  if (found === null) {
    await store.insert("operation", PLACE.scope, PLACE.id, facts as OperationRecord);
  } else {
    const next = { ...found.value, ...facts };
    await store.cas("operation", PLACE.scope, PLACE.id, found.version, next);
  }
}

const logOf = (owner: string, on: Store = store) =>
  storedEffectLog(on, { ...PLACE, owner }, { holder: "l1", leaseMs: LEASE_MS });

const told = async () => (await readEffects(store, PLACE)).map(({ status }) => status);

describe("18.8 an attempt that slept while another took its run over (OPS-31)", () => {
  test("stops at an effect that the other has performed, which is no defect", async () => {
    const slept = logOf("slept");
    await claim("other");
    const other = logOf("other");
    await other.started(ENTRY);
    await other.ended({ ...ENTRY, status: "done" }, null);
    await expect(slept.started({ ...ENTRY, startedAt: 2 })).rejects.toBeInstanceOf(RunStop);
    expect(await told()).toEqual(["done"]);
  });

  test.each([1, 2])(
    "and notes an effect as the other comes to it, at %i ms, keeps it from nothing",
    async (startedAt) => {
      let wake = (): void => undefined;
      let looks = (): void => undefined;
      const awake = new Promise<void>((resolve) => (wake = resolve));
      const noted = new Promise<void>((resolve) => (looks = resolve));
      const sleepy: MemoryStore = {
        ...store,
        get: async (kind, scope, id) => {
          looks();
          await awake;
          return store.get(kind, scope, id);
        },
      };
      await claim("other");
      const late = logOf("slept", sleepy).started(ENTRY);
      await noted;
      const other = logOf("other");
      await other.started({ ...ENTRY, startedAt });
      wake();
      await expect(late).rejects.toBeInstanceOf(RunStop);
      await other.ended({ ...ENTRY, startedAt, status: "done" }, null);
      expect(await told()).toEqual(["done"]);
    },
  );

  test("and notes one that the other has not come to, takes that back", async () => {
    const slept = logOf("slept");
    await claim("other");
    await expect(slept.started(ENTRY)).rejects.toBeInstanceOf(RunStop);
    expect(await told()).toEqual([]);
  });
});

test("an attempt that starts the same effect twice sends it once", async () => {
  const log = logOf("slept");
  await log.started(ENTRY);
  await expect(log.started({ ...ENTRY, startedAt: 2 })).rejects.toThrow("has been started before");
});

test("an effect whose note was kept, though the store said otherwise, is started", async () => {
  let refusals = 1;
  const lossy: MemoryStore = {
    ...store,
    transaction: async (work) => {
      const result = await store.transaction(work);
      refusals -= 1;
      if (refusals < 0) return result;
      throw Object.assign(new Error("the connection broke"), { name: "StoreUnavailableError" });
    },
  };
  const log = logOf("slept", lossy);
  await log.started(ENTRY);
  await log.ended({ ...ENTRY, status: "done" }, null);
  expect(await told()).toEqual(["done"]);
});
