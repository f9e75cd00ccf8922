import type {
  AskedSlot,
  ExecuteSession,
  LogicalSession,
  SessionAtSlot,
  Store,
  WaveRecord,
} from "@plasm/agent-core";
import { createDatabase, type TestDatabase } from "@plasm/testkit/postgres";
import { afterAll, beforeAll, beforeEach, expect, inject, test } from "vitest";
import { openPostgresStore } from "./open.ts";

const T0 = 1_800_000_000_000;
const LIFETIME_MS = 1_000;
const PRINCIPAL = '["t1","ann"]';
const key = { promptHash: "ab", sessionId: "s1" };

let database: TestDatabase;
let store: Store;
let now = T0;
beforeAll(async () => {
  database = await createDatabase(inject("postgresUrl"));
  store = await openPostgresStore({ url: database.url, now: () => now });
});
afterAll(async () => {
  await store.close();
  await database.drop();
});

const session: ExecuteSession = {
  ...key,
  scope: "t1",
  subject: null,
  logicalId: "l1",
  notation: "names",
  primary: "quay",
  reuseKey: "k1",
  createdAt: T0,
  expiresAt: T0 + LIFETIME_MS,
};

const logical = (more: Partial<LogicalSession> = {}): LogicalSession => ({
  uuid: "l1",
  scope: "t1",
  intent: "what \0 and \ud800 are, “quoted”",
  bound: key,
  loss: null,
  createdAt: T0,
  lastUsedAt: T0,
  ...more,
});

const wave = (n: number, digest = `sha256:${n}`): WaveRecord => ({
  n,
  mode: "open",
  entry: { entryId: "quay", entities: [`E${n}`], digest },
  text: `wave ${n}`,
  parts: [],
  e: [n, n],
  m: null,
  p: null,
  tokens: 1,
  untaught: [],
});

const pinned = (digest: string) => ({ digest, entryId: "quay", domain: "", mappings: null });

const asked = (more: Partial<AskedSlot> = {}): AskedSlot => ({
  scope: "t1",
  principal: PRINCIPAL,
  slot: 0,
  subject: null,
  lifetimeMs: LIFETIME_MS,
  known: null,
  connection: null,
  ...more,
});

/** A store that looks part by part has none. */
async function look(more: Partial<AskedSlot> = {}): Promise<SessionAtSlot | null> {
  if (store.sessionAtSlot === undefined) throw new Error("PostgreSQL looks at once");
  return store.sessionAtSlot(asked(more));
}

beforeEach(async () => {
  now = T0;
  await store.freeSlots("l1");
  await store.delete("logical", "t1", "l1");
  now = T0 + 1_000 * LIFETIME_MS;
  await store.endSession(key);
  await store.removeSession(key);
  now = T0;
  await store.insert("logical", "t1", "l1", logical());
  await store.slotOf(PRINCIPAL, "l1");
  await store.findOrCreateSession("k1", () => session);
  await store.pinCatalog(pinned("sha256:1"));
  await store.pinCatalog(pinned("sha256:2"));
  await store.appendWaves(key, 0, [wave(1), wave(2), wave(3, "sha256:gone")]);
});

test("what a slot leads to is what its parts say, with the session renewed (SESS-11)", async () => {
  now = T0 + LIFETIME_MS - 1;
  const found = await look();
  expect(found).toEqual({
    logical: await store.get("logical", "t1", "l1"),
    session: await store.session("t1", key),
    waves: await store.waves(key),
    pinned: ["sha256:1", "sha256:2"],
    onConnection: null,
  });
  expect(found?.session.expiresAt).toBe(now + LIFETIME_MS + 17);
});

test("waves that are known are not read again; those of another session are", async () => {
  const numbers = async (known: AskedSlot["known"]) =>
    (await look({ known }))?.waves.map(({ n }) => n);
  expect(await numbers({ sessionId: "s1", waves: 2 })).toEqual([3]);
  expect(await numbers({ sessionId: "s1", waves: 3 })).toEqual([]);
  expect(await numbers({ sessionId: "s2", waves: 3 })).toEqual([1, 2, 3]);
});

test("what a connection keeps of it comes along (SESS-3)", async () => {
  const connection = { scope: "connections", prefix: "c1/" };
  expect((await look({ connection }))?.onConnection).toBeNull();
  const kept = { opened: true, lastUsedAt: T0 } as const;
  await store.insert("connectionSession", "connections", "c1/l1", kept);
  expect((await look({ connection }))?.onConnection).toEqual({
    id: "c1/l1",
    version: 1,
    value: kept,
  });
  expect((await look({ connection: { ...connection, prefix: "c2/" } }))?.onConnection).toBeNull();
});

test("a lifetime is never shortened, and what is over stays over (SESS-11, OPS-36)", async () => {
  expect((await look({ lifetimeMs: 60_000 }))?.session.expiresAt).toBe(T0 + 61_000);
  now = T0 + 1_000;
  expect((await look({ lifetimeMs: 60_000 }))?.session.expiresAt).toBe(T0 + 61_000);
  expect((await look())?.session.expiresAt).toBe(T0 + 61_000);
  now = T0 + 61_000;
  expect(await look()).toBeNull();
  expect((await store.session("t1", key))?.expiresAt).toBe(T0 + 61_000);
});

test.each<[string, Partial<AskedSlot>]>([
  ["another slot", { slot: 1 }],
  ["another principal", { principal: '["t1","bob"]' }],
  ["another scope", { scope: "t2" }],
  ["another user's calls", { subject: "carl" }],
])("%s leads to nothing, and renews nothing (SESS-38, SURF-24)", async (_what, more) => {
  now = T0 + 1;
  expect(await look(more)).toBeNull();
  expect((await store.session("t1", key))?.expiresAt).toBe(T0 + LIFETIME_MS);
});

test("a user's own session is found for that user alone (SURF-24)", async () => {
  await store.cas("logical", "t1", "l1", 1, logical({ subject: "carl" }));
  expect(await look()).toBeNull();
  expect((await look({ subject: "carl" }))?.logical.value.subject).toBe("carl");
});

test("a logical session that is bound to nothing, or to what is gone, leads to nothing", async () => {
  await store.cas("logical", "t1", "l1", 1, logical({ bound: null }));
  expect(await look()).toBeNull();
  await store.cas("logical", "t1", "l1", 2, logical({ bound: { ...key, promptHash: "other" } }));
  expect(await look()).toBeNull();
});
