import type { ExecuteSession, Store, WaitingRecord } from "@plasm/agent-core";
import { Kysely, sql } from "kysely";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { migrateToLatest } from "../migrations/migrate.ts";
import type { Tables } from "../schema/tables.ts";
import { nodeSqlite, sqliteDialect } from "./dialect.ts";
import { sqliteTypes } from "./open.ts";
import { RememberedReads } from "./remembered-reads.ts";
import { shareCommits } from "./share-commits.ts";
import { shareSync } from "./shared-sync.ts";
import { writingTogether } from "./writing-together.ts";

const RECORD: WaitingRecord = { uuid: "u", expiresAt: 1 };
const KEY = { promptHash: "ab", sessionId: "s1" };

/** How long a machine that is busy may take. */
const PATIENT = { timeout: 20_000, interval: 1 };

let db: Kysely<Tables>;
let now: number;
let store: Store;
let durable: () => Promise<void>;
let syncs: { done: () => void; fail: (why: Error) => void }[];

beforeEach(async () => {
  db = new Kysely({ dialect: sqliteDialect(nodeSqlite(new DatabaseSync(":memory:"))) });
  await migrateToLatest(db, { types: sqliteTypes });
  syncs = [];
  now = 0;
  const disk = shareSync(
    () => new Promise((resolve, reject) => syncs.push({ done: resolve, fail: reject })),
  );
  const commits = shareCommits(db, disk);
  const { alone } = commits;
  const ping = async (): Promise<void> => undefined;
  const database = { db, now: () => now, alone, ping, close: () => db.destroy() };
  store = writingTogether(database, commits, new RememberedReads(() => 0));
  durable = commits.durable;
});
afterEach(() => db.destroy());

/** Resolves once the disk is asked for the nth time. */
async function asked(times: number): Promise<void> {
  await expect.poll(() => syncs.length, PATIENT).toBe(times);
}

const writes: Readonly<Record<string, () => Promise<unknown>>> = {
  insert: () => store.insert("waiting", "t", "a", RECORD),
  cas: () => store.cas("waiting", "t", "a", 1, RECORD),
  delete: () => store.delete("waiting", "t", "a"),
  putBlob: () =>
    store.putBlob(
      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
      new Uint8Array(),
    ),
  nextNumber: () => store.nextNumber("s", "r"),
  "a slot's first use": () => store.slotOf("p", "logical"),
  giveUpReuseKey: () => store.giveUpReuseKey(KEY),
  appendWaves: () => store.appendWaves(KEY, 0, []),
  endSession: () => store.endSession(KEY),
  removeBlobs: () => store.removeBlobs(0, 1),
  transaction: () => store.transaction((tx) => tx.insert("waiting", "t", "a", RECORD)),
};

describe("a write is told of when the disk has it (SESS-33)", () => {
  it.each(Object.entries(writes))("%s", async (_name, write) => {
    let told = false;
    const writing = write().then(() => (told = true));
    await asked(1);
    expect(told).toBe(false);
    syncs[0]?.done();
    expect(await writing).toBe(true);
  });

  it("is there for others before that", async () => {
    const writing = store.insert("waiting", "t", "a", RECORD);
    await asked(1);
    expect((await store.get("waiting", "t", "a"))?.value).toEqual(RECORD);
    syncs[0]?.done();
    expect(await writing).toBe(true);
  });

  it("and fails where the disk could not take it", async () => {
    const writing = store.insert("waiting", "t", "a", RECORD);
    await asked(1);
    syncs[0]?.fail(new Error("no space"));
    await expect(writing).rejects.toThrow("no space");
  });

  it("others go on while one waits, and wait together for the next", async () => {
    const first = store.insert("waiting", "t", "a", RECORD);
    await asked(1);
    const others = [1, 2, 3].map((n) => store.insert("waiting", "t", `b${n}`, RECORD));
    await expect.poll(async () => (await store.list("waiting", "t", "b")).length, PATIENT).toBe(3);
    syncs[0]?.done();
    expect(await first).toBe(true);
    await asked(2);
    syncs[1]?.done();
    expect(await Promise.all(others)).toEqual([true, true, true]);
  });

  it("a renewed session alone goes on before, and what asks for it waits", async () => {
    expect(await store.renewSession("t", KEY, 1_000)).toBeNull();
    expect(syncs).toHaveLength(0);
    const kept = durable();
    await asked(1);
    syncs[0]?.done();
    await kept;
  });

  it("a transaction until it is visible goes on before, and what asks for it waits", async () => {
    await store.transaction((tx) => tx.insert("waiting", "t", "a", RECORD), "visible");
    expect((await store.get("waiting", "t", "a"))?.value).toEqual(RECORD);
    expect(syncs).toHaveLength(0);
    const kept = durable();
    await asked(1);
    syncs[0]?.fail(new Error("no space"));
    await expect(kept).rejects.toThrow("no space");
  });

  it("SESS-30 no more than 16 go on before: more wait for the disk, and are told though it fails", async () => {
    let told = 0;
    const soon = (n: number) =>
      store
        .transaction((tx) => tx.insert("waiting", "t", `n${n}`, RECORD), "visible")
        .then(() => (told += 1));
    const all = Array.from({ length: 20 }, (_none, n) => soon(n));
    await expect.poll(() => told, PATIENT).toBe(16);
    const later = soon(20);
    await asked(1);
    await expect.poll(async () => (await store.list("waiting", "t", "")).length, PATIENT).toBe(21);
    expect(told).toBe(16);
    syncs[0]?.fail(new Error("no space"));
    await asked(2);
    syncs[1]?.done();
    await Promise.all([...all, later]);
    expect(told).toBe(21);
  });

  it("a slot that is held is only read", async () => {
    const first = store.slotOf("p", "logical");
    await asked(1);
    syncs[0]?.done();
    expect([await first, await store.slotOf("p", "logical")]).toEqual([0, 0]);
    expect(syncs).toHaveLength(1);
  });
});

describe("SESS-11 a session that has long to live is renewed while its call goes on", () => {
  const HOUR = 3_600_000;
  const SESSION: ExecuteSession = {
    ...KEY,
    scope: "t",
    subject: null,
    logicalId: null,
    notation: "names",
    primary: "quay",
    reuseKey: "key",
    createdAt: 0,
    expiresAt: HOUR,
  };
  const renew = () => store.renewSession("t", KEY, HOUR);
  /** It is written to live a little longer, so that the calls of the next minute need not write. */
  const WRITTEN = HOUR + HOUR / 60;
  const expiry = async () => (await store.session("t", KEY))?.expiresAt;

  beforeEach(async () => {
    const opened = store.findOrCreateSession("key", () => SESSION);
    await asked(1);
    syncs[0]?.done();
    await opened;
    now = 1_000;
  });

  it("what awaits `durable` finds it renewed and on the disk", async () => {
    expect((await renew())?.expiresAt).toBe(now + HOUR);
    const kept = durable();
    await asked(2);
    expect(await expiry()).toBe(now + WRITTEN);
    syncs[1]?.done();
    await kept;
  });

  it("renews without anybody's asking", async () => {
    await renew();
    await expect.poll(expiry, PATIENT).toBe(now + WRITTEN);
  });

  it("goes along with the next write, which waits once", async () => {
    await renew();
    const writing = store.insert("waiting", "t", "a", RECORD);
    await asked(2);
    expect(await expiry()).toBe(now + WRITTEN);
    syncs[1]?.done();
    expect(await writing).toBe(true);
    expect(syncs).toHaveLength(2);
  });

  it("is written once a minute, however many calls renew it", async () => {
    await renew();
    await expect.poll(expiry, PATIENT).toBe(now + WRITTEN);
    now += 59_000;
    expect((await renew())?.expiresAt).toBe(1_000 + WRITTEN);
    await store.list("waiting", "t", "");
    expect(await expiry()).toBe(1_000 + WRITTEN);
    now += 2_000;
    await renew();
    await expect.poll(expiry, PATIENT).toBe(now + WRITTEN);
  });

  it("one that cannot be renewed is told of once", async () => {
    await sql`create trigger refuse before update on execute_sessions begin select raise(abort, 'no space'); end`.execute(
      db,
    );
    await renew();
    await expect(durable()).rejects.toThrow("no space");
    const kept = durable();
    await asked(2);
    syncs[1]?.done();
    await kept;
  });

  it("one that ends within a minute is renewed before its call goes on, or lost", async () => {
    now = HOUR - 59_000;
    expect((await renew())?.expiresAt).toBe(now + HOUR);
    expect(await expiry()).toBe(now + HOUR);
    now += HOUR;
    expect(await renew()).toBeNull();
  });
});
