import type {
  ConnectionRecord,
  ExecuteSession,
  Store,
  StoreOps,
  WaveRecord,
} from "@plasm/agent-core";
import { createDatabase, type TestDatabase } from "@plasm/testkit/postgres";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { openPostgresStore } from "./open.ts";

/** Stores of replicas of their own on one database, opened at once when it was empty. */
const REPLICAS = 3;

let database: TestDatabase;
let stores: readonly Store[];

beforeAll(async () => {
  database = await createDatabase(inject("postgresUrl"));
  const { url } = database;
  stores = await Promise.all(
    Array.from({ length: REPLICAS }, () => openPostgresStore({ url, connections: 4 })),
  );
});
afterAll(async () => {
  await Promise.all(stores.map((store) => store.close()));
  await database.drop();
});

/** The same call, made on every replica so often at once. */
const raced = <T>(times: number, call: (store: Store, n: number) => Promise<T>): Promise<T[]> =>
  Promise.all(
    stores.flatMap((store, replica) =>
      Array.from({ length: times }, (_, n) => call(store, replica * times + n)),
    ),
  );

const connection = (id: string): ConnectionRecord => ({ id, sent: {}, lastUsedAt: 0 });

test("G2 of 51 starts under a single-use ref, one starts", async () => {
  const [store] = stores;
  await store?.insert("connection", "t1", "pc0", connection("live"));
  const start = (tx: StoreOps, owner: string) => async (): Promise<boolean> => {
    const found = await tx.get("connection", "t1", "pc0");
    if (found?.value.id !== "live") return false;
    if (!(await tx.cas("connection", "t1", "pc0", found.version, connection(owner)))) return false;
    if (!(await tx.insert("connection", "t1", "run", connection(owner)))) {
      throw new Error("A ref started two runs");
    }
    return true;
  };
  const started = await raced(17, (one, n) => one.transaction((tx) => start(tx, `run ${n}`)()));
  expect(started.filter(Boolean)).toHaveLength(1);
  expect((await store?.get("connection", "t1", "pc0"))?.version).toBe(2);
});

test("plans made at once get one ref, with no number lost", async () => {
  const refs = await raced(6, (store) =>
    store.transaction(async (tx) => {
      const known = await tx.get("minted", "t1", "plan");
      if (known !== null) return known.value.ref;
      const ref = `pc${await tx.nextNumber("minting", "pc")}`;
      await tx.insert("minted", "t1", "plan", { ref });
      return ref;
    }),
  );
  expect(new Set(refs)).toEqual(new Set(["pc0"]));
  expect(await stores[0]?.nextNumber("minting", "pc")).toBe(1);
});

test("OPS-31 a lapsed lease is claimed once", async () => {
  await stores[0]?.insert("connection", "t1", "lease", connection("dead"));
  const claims = await raced(5, (store, n) =>
    store.cas("connection", "t1", "lease", 1, connection(`owner ${n}`)),
  );
  expect(claims.filter(Boolean)).toHaveLength(1);
});

test("SESS-6 numbers are dense, SESS-3 slots are one a session", async () => {
  const numbers = await raced(10, (store) => store.nextNumber("dense", "r"));
  expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 30 }, (_, i) => i + 1));
  const slots = await raced(4, (store, n) => store.slotOf("t1/a", `L${n % 6}`));
  expect(new Set(slots)).toEqual(new Set([0, 1, 2, 3, 4, 5]));
});

const wave = (n: number, text: string): WaveRecord => ({
  n,
  mode: "open",
  entry: { entryId: "quay", entities: ["Boat"], digest: "sha256:1" },
  text,
  parts: [],
  e: [n, n],
  m: null,
  p: null,
  tokens: 1,
  untaught: [],
});

test("F6 SESS-32 of waves appended at one length, one caller's stand, whole", async () => {
  const key = { promptHash: "ab", sessionId: "raced" };
  const appended = await raced(4, (store, n) =>
    store.transaction((tx) => tx.appendWaves(key, 0, [wave(1, `by ${n}`), wave(2, `by ${n}`)])),
  );
  expect(appended.filter((one) => one === "ok")).toHaveLength(1);
  const texts = (await stores[1]?.waves(key))?.map(({ text }) => text) ?? [];
  expect(texts).toHaveLength(2);
  expect(new Set(texts).size).toBe(1);
});

test("F23 SESS-14 of sessions opened at once with one key, one is made", async () => {
  const now = stores[0]?.now() ?? 0;
  const session = (sessionId: string): ExecuteSession => ({
    promptHash: "ab",
    sessionId,
    scope: "t1",
    subject: null,
    logicalId: null,
    notation: "symbols",
    primary: "quay",
    reuseKey: "raced",
    createdAt: now,
    expiresAt: now + 60_000,
  });
  const direct = await raced(4, (store, n) =>
    store.findOrCreateSession("raced", () => session(`s${n}`)),
  );
  expect(direct.filter(({ created }) => created)).toHaveLength(1);
  const within = await raced(4, (store, n) =>
    store.transaction((tx) =>
      tx.findOrCreateSession("raced", () => ({ ...session(`t${n}`), reuseKey: "raced" })),
    ),
  );
  expect(within.filter(({ created }) => created)).toEqual([]);
  expect(new Set([...direct, ...within].map(({ row }) => row.sessionId)).size).toBe(1);
});

test("SESS-11 replicas judge time by the clock they share", async () => {
  const times = stores.map((store) => store.now());
  expect(Math.max(...times) - Math.min(...times)).toBeLessThan(5_000);
  expect(times.every(Number.isInteger)).toBe(true);
});
