import { setTimeout as delay } from "node:timers/promises";
import type { Store } from "@plasm/agent-core";
import { startOutageProxy } from "@plasm/testkit";
import { createDatabase } from "@plasm/testkit/postgres";
import { describe, expect, inject, test, vi } from "vitest";
import { StoreUnavailableError } from "../store-unavailable-error.ts";
import { openPostgresStore } from "./open.ts";

/** Documented: who asks for health, and who calls, is answered within these (docs/operating.md). */
const HEALTH_MS = 10_000;
const CALL_MS = 30_000;
const BLIP_MS = 3_000;

/** A store of its own for each test, so that they wait side by side. */
async function openAway(atEnd: (end: () => Promise<void>) => void) {
  const database = await createDatabase(inject("postgresUrl"));
  const proxy = await startOutageProxy(database.url);
  const store = await openPostgresStore({ url: proxy.url, connections: 3 });
  atEnd(async () => {
    await proxy.restore();
    await store.close();
    await proxy.close();
    await database.drop();
  });
  return { proxy, store };
}

/** What a call came to, and after how long. */
async function timed(work: Promise<unknown>) {
  const from = performance.now();
  const thrown = await work.then(
    () => null,
    (cause: unknown) => cause,
  );
  return { thrown, ms: performance.now() - from };
}

const ref = (n: number) => ({ ref: `pc${n}` });

/** A call of each kind: a read, a write of one statement, and a transaction. */
const calls = (store: Store, n: number): readonly Promise<unknown>[] => [
  store.get("minted", "t", `known`),
  store.insert("minted", "t", `alone-${n}`, ref(n)),
  store.transaction((tx) => tx.insert("minted", "t", `together-${n}`, ref(n))),
];

describe.concurrent("18.3 an outage of 3 s", () => {
  test("is waited out by whoever calls meanwhile, where the server refuses connections", async ({
    onTestFinished,
  }) => {
    const { proxy, store } = await openAway(onTestFinished);
    await store.insert("minted", "t", "known", ref(0));
    await proxy.refuse();
    const asked = Array.from({ length: 10 }, (_none, n) => calls(store, n)).flat();
    asked.push(store.ping());
    const all = Promise.allSettled(asked);
    await delay(BLIP_MS);
    await proxy.restore();
    const failed = (await all).filter(({ status }) => status === "rejected");
    expect(failed).toEqual([]);
    expect(await store.list("minted", "t", "")).toHaveLength(21);
  });

  test("fails no transaction that was under way, and performs each once", async ({
    onTestFinished,
  }) => {
    const { proxy, store } = await openAway(onTestFinished);
    let begun = 0;
    let letGo = (): void => undefined;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    const all = Promise.allSettled(
      [1, 2].map((n) =>
        store.transaction(async (tx) => {
          await tx.insert("minted", "t", `first-${n}`, ref(n));
          begun += 1;
          await held;
          return tx.insert("minted", "t", `second-${n}`, ref(n));
        }),
      ),
    );
    await vi.waitFor(() => expect(begun).toBe(2), { timeout: CALL_MS });
    await proxy.refuse();
    letGo();
    await delay(BLIP_MS);
    await proxy.restore();
    expect(await all).toEqual([
      { status: "fulfilled", value: true },
      { status: "fulfilled", value: true },
    ]);
    expect(await store.list("minted", "t", "")).toHaveLength(4);
  });

  test("connections that were cut while nobody used them fail nothing", async ({
    onTestFinished,
  }) => {
    const { proxy, store } = await openAway(onTestFinished);
    await Promise.all(calls(store, 0));
    for (let n = 1; n <= 5; n += 1) {
      proxy.cut();
      const found = await Promise.all([store.get("minted", "t", "x"), store.ping()]);
      expect(found).toEqual([null, undefined]);
    }
  });
});

test.concurrent(
  "18.3 an outage that goes on is told within the limits, then at once, and ends with the store's return",
  async ({ onTestFinished }) => {
    const { proxy, store } = await openAway(onTestFinished);
    await proxy.refuse();
    for (const { thrown, ms } of await Promise.all([...calls(store, 1), store.ping()].map(timed))) {
      expect(thrown).toBeInstanceOf(StoreUnavailableError);
      expect(ms).toBeLessThan(HEALTH_MS);
    }
    await proxy.restore();
    expect(await store.insert("minted", "t", "back", ref(1))).toBe(true);
    await store.ping();
  },
  CALL_MS * 2,
);

test.concurrent(
  "18.3 where nothing comes back any more, health and calls are told within their limits, however many there are",
  async ({ onTestFinished }) => {
    const { proxy, store } = await openAway(onTestFinished);
    await Promise.all([...calls(store, 0), store.ping()]);
    proxy.silence();
    const health = timed(store.ping());
    const all = Array.from({ length: 40 }, (_none, n) => calls(store, n + 1)).flat();
    const told = await Promise.all(all.map(timed));
    expect((await health).thrown).toBeInstanceOf(StoreUnavailableError);
    expect((await health).ms).toBeLessThan(HEALTH_MS);
    for (const { thrown, ms } of told) {
      expect(thrown).toBeInstanceOf(StoreUnavailableError);
      expect(ms).toBeLessThan(CALL_MS);
    }
    const later = await timed(store.ping());
    expect(later.thrown).toBeInstanceOf(StoreUnavailableError);
    expect(later.ms).toBeLessThan(HEALTH_MS);
    await proxy.restore();
    await vi.waitFor(() => store.ping(), { timeout: CALL_MS });
    expect(await store.insert("minted", "t", "back", ref(1))).toBe(true);
  },
  CALL_MS * 4,
);

test.concurrent(
  "18.3 where nothing comes back in the middle of a transaction, that is told within its limit",
  async ({ onTestFinished }) => {
    const { proxy, store } = await openAway(onTestFinished);
    const { thrown, ms } = await timed(
      store.transaction(async (tx) => {
        await tx.insert("minted", "t", "first", ref(1));
        proxy.silence();
        return tx.insert("minted", "t", "second", ref(2));
      }),
    );
    expect(thrown).toBeInstanceOf(StoreUnavailableError);
    expect(ms).toBeLessThan(CALL_MS);
  },
  CALL_MS * 4,
);
