import { setImmediate as roundOfLoop } from "node:timers/promises";
import { createDatabase, type TestDatabase } from "@plasm/testkit/postgres";
import { Kysely, PostgresDialect, sql } from "kysely";
import { Pool } from "pg";
import { afterEach, beforeEach, expect, inject, test } from "vitest";
import type { Tables } from "../schema/tables.ts";
import { alone } from "./open.ts";
import { kyselyPool } from "./pool.ts";

/** Limits as the store's own pool has them, but shorter; both are over when the process wakes. */
const IDLE_IN_TRANSACTION_MS = 1_000;
const QUERY_MS = 700;
const ASLEEP_MS = 1_800;
/** A statement that is answered while the process sleeps. */
const ANSWERED = sql`select pg_sleep(0.2)`;

let database: TestDatabase;
let db: Kysely<Tables>;
beforeEach(async () => {
  database = await createDatabase(inject("postgresUrl"));
  const pool = new Pool({
    connectionString: database.url,
    max: 2,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    query_timeout: QUERY_MS,
  });
  pool.on("error", () => undefined);
  db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: kyselyPool(pool) }) });
  await sql`create table noted (n integer)`.execute(db);
});
afterEach(async () => {
  await db.destroy();
  await database.drop();
});

/** Stops this process as a closed lid does: no timer and no socket is served meanwhile. */
const sleep = (): void =>
  void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ASLEEP_MS);

const note = (tx: Kysely<Tables>, n: number) => sql`insert into noted values (${n})`.execute(tx);

const noted = async (): Promise<unknown> => {
  const { rows } = await sql<{ n: number }>`select n from noted order by n`.execute(db);
  return rows.map(({ n }) => n);
};

test("18.8 a transaction whose process slept in the middle of a statement begins again", async () => {
  let tries = 0;
  const result = await alone(db, async (tx) => {
    tries += 1;
    await note(tx, tries);
    const answer = ANSWERED.execute(tx);
    if (tries === 1) {
      await roundOfLoop();
      sleep();
    }
    await answer;
    await note(tx, 10);
    return "done";
  });
  expect([result, tries, await noted()]).toEqual(["done", 2, [2, 10]]);
});

test("18.8 a transaction whose process slept between two statements begins again", async () => {
  let tries = 0;
  const result = await alone(db, async (tx) => {
    tries += 1;
    await note(tx, tries);
    if (tries === 1) sleep();
    await note(tx, 10);
    return "done";
  });
  expect([result, tries, await noted()]).toEqual(["done", 2, [2, 10]]);
});

test("18.8 a statement that was answered while its process slept has its answer", async () => {
  await db.connection().execute(async (one) => {
    await note(one, 1);
    const answer = ANSWERED.execute(one);
    await roundOfLoop();
    sleep();
    expect((await answer).rows).toHaveLength(1);
    await note(one, 2);
  });
  expect(await noted()).toEqual([1, 2]);
});
