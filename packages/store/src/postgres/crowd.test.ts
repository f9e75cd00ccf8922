import { EventEmitter } from "node:events";
import { createDatabase, type TestDatabase } from "@plasm/testkit/postgres";
import { Kysely, PostgresDialect, sql } from "kysely";
import { Client, type PoolClient } from "pg";
import { afterAll, beforeAll, expect, inject, test, vi } from "vitest";
import type { Tables } from "../schema/tables.ts";
import { openPostgresStore } from "./open.ts";
import { kyselyPool, openPool } from "./pool.ts";
import { CONNECT_TIMEOUT } from "./postgres-error.ts";
import { Reach } from "./reach.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase(inject("postgresUrl"));
});
afterAll(() => database.drop());

/** The limit of connecting is over after each round of the loop. */
const CONNECT_MS = 150;
const ROUND_MS = 200;

/** Holds each round of the loop for longer than any limit, as a crowd's work does, until it is told to stop. */
function holdLoop(): () => void {
  const cell = new Int32Array(new SharedArrayBuffer(4));
  const timer = setInterval(() => void Atomics.wait(cell, 0, 0, ROUND_MS), 1);
  return () => clearInterval(timer);
}

test("18.6 connections that are made while the loop is held are no outage, and all who wait are served", async () => {
  const pool = await openPool({ url: database.url, max: 3, connectMs: CONNECT_MS });
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: kyselyPool(pool, 0) }) });
  const letGo = holdLoop();
  try {
    const asked = Array.from({ length: 12 }, (_none, n) => sql`select ${sql.lit(n)}`.execute(db));
    const ends = await Promise.allSettled(asked);
    expect(ends.filter(({ status }) => status === "rejected")).toEqual([]);
  } finally {
    letGo();
    await db.destroy();
  }
});

test("18.6 a store whose connections all are lent for long is not away: its health is told before others are served", async () => {
  // With one connection there is one order, however the server and this process take turns.
  const store = await openPostgresStore({ url: database.url, connections: 1 });
  let letGo = (): void => undefined;
  const held = new Promise<void>((resolve) => (letGo = resolve));
  let begun = 0;
  const first = store.transaction(async () => {
    begun += 1;
    await held;
  });
  const order: string[] = [];
  const others = Array.from({ length: 50 }, (_none, n) =>
    store.transaction(async (tx) => {
      await tx.nextNumber("crowd", "r");
      order.push(`call ${n}`);
    }),
  );
  const looks = async (): Promise<void> => {
    const listed = store.urgent?.list("setAside", "", "");
    const size = store.size?.();
    await store.ping();
    await listed;
    await size;
    order.push("health");
  };
  const health = looks();
  letGo();
  await Promise.all([first, health, ...others]);
  expect(begun).toBe(1);
  expect(order.indexOf("health")).toBe(0);
  expect(await store.nextNumber("crowd", "r")).toBe(51);
  await store.close();
});

test("18.6 a connection that is slow while others are answered is told as busy, and fails nobody else", async () => {
  const client = Object.assign(new EventEmitter(), { release: () => undefined });
  const outcomes: (() => Promise<PoolClient>)[] = [];
  const reach = new Reach({
    blipMs: 0,
    connect: () => (outcomes.shift() ?? (async () => client as unknown as PoolClient))(),
  });
  const slow = async (): Promise<PoolClient> => {
    await vi.waitFor(() => reach.answered());
    throw new Error(CONNECT_TIMEOUT);
  };
  outcomes.push(slow);
  expect(await reach.connect()).toBe(client);
  outcomes.push(slow, slow, slow);
  await expect(reach.connect()).rejects.toMatchObject({
    name: "StoreUnavailableError",
    fault: "busy",
    retryAfter: 1,
  });
  expect(await reach.connect()).toBe(client);
});

/** A store with settings of the server's for its connections. */
async function openWith(settings: string) {
  const url = new URL(database.url);
  url.searchParams.set("options", settings);
  return openPostgresStore({ url: url.href, connections: 4 });
}

const LOCK = "select 1 from plasm.records where scope = 'deadlock' and id = $1 for update";

/** Another program on the database, which is never the one that the server ends: it looks for deadlocks last. */
async function openStubborn() {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  await client.query("set deadlock_timeout = '1min'");
  await client.query("set lock_timeout = '4s'");
  return {
    begin: () => client.query("begin"),
    lock: (id: string) => client.query(LOCK, [id]),
    isWaitedFor: async () =>
      (
        await client.query(
          "select 1 from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))",
        )
      ).rows.length > 0,
    end: () => client.end(),
    commit: () => client.query("commit"),
  };
}

const MOST_TRIES = 5;

test("18.6 a statement that stood in a deadlock is tried again, and is no defect", async () => {
  // The server looks once for a deadlock, so long after a statement began to wait.
  const store = await openWith("-c deadlock_timeout=1s");
  const other = await openStubborn();
  let wasDeadlocked = false;
  for (let tries = 0; !wasDeadlocked && tries < MOST_TRIES; tries += 1) {
    for (const id of ["a", "b"]) await store.insert("minted", "deadlock", id, { ref: id });
    await other.begin();
    await other.lock("b");
    // It has a, and waits for b.
    const removed = store.removeAll("minted", "deadlock", "");
    await vi.waitUntil(other.isWaitedFor, { timeout: 20_000, interval: 5 });
    // It gets a only where the store's statement was ended.
    wasDeadlocked = await other.lock("a").then(
      () => true,
      () => false,
    );
    await other.commit();
    await removed;
    expect(await store.list("minted", "deadlock", "")).toEqual([]);
  }
  expect(wasDeadlocked).toBe(true);
  await other.end();
  await store.close();
});

test("18.6 of two transactions that wait for each other, both come to their end", async () => {
  const store = await openWith("-c deadlock_timeout=20ms");
  for (const id of ["a", "b"]) await store.insert("minted", "both", id, { ref: "0" });
  let arrived = 0;
  let bothHaveOne = (): void => undefined;
  const other = new Promise<void>((resolve) => (bothHaveOne = resolve));
  const add = (from: string, to: string) => async (): Promise<void> => {
    await store.transaction(async (tx) => {
      for (const id of [from, to]) {
        const found = await tx.get("minted", "both", id);
        const ref = String(Number(found?.value.ref) + 1);
        await tx.cas("minted", "both", id, found?.version ?? 0, { ref });
        arrived += 1;
        if (arrived > 1) bothHaveOne();
        await other;
      }
    });
  };
  await Promise.all([add("a", "b")(), add("b", "a")()]);
  const refs = (await store.list("minted", "both", "")).map(({ value }) => value.ref);
  expect(refs).toEqual(["2", "2"]);
  await store.close();
});

test("18.6 where the database runs every statement at a stricter level, none is a defect of a lost race", async () => {
  const more = String.raw`-c default_transaction_isolation=repeatable\ read`;
  const stores = [await openWith(more), await openWith(more)];
  const numbers = await Promise.all(
    Array.from({ length: 20 }, () =>
      stores.map((store) => store.nextNumber("stricter", "r")),
    ).flat(),
  );
  expect(numbers.toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: 40 }, (_none, n) => n + 1),
  );
  await Promise.all(stores.map((store) => store.close()));
});
