import type { Store, StoreSize } from "@plasm/agent-core";
import { Kysely, PostgresDialect, type PostgresPool, sql } from "kysely";
import { setTimeout as delay } from "node:timers/promises";
import type { Pool } from "pg";
import { isNewest, migrateToLatest } from "../migrations/migrate.ts";
import { opsOn, storeOn } from "../queries/store.ts";
import type { DialectTypes, Tables } from "../schema/tables.ts";
import { StoreUnavailableError } from "../store-unavailable-error.ts";
import { readAddress } from "./address.ts";
import { kyselyPool, openPool } from "./pool.ts";
import { busyError, isLost, isRace, openingError } from "./postgres-error.ts";
import { withinServedTime } from "./reach.ts";
import { sessionAtSlot } from "./session-at-slot.ts";

/** The clock of a database, in whole ms since the epoch, as near as a round trip tells. */
interface DatabaseClock {
  now(): number;
  stop(): void;
}

const REFRESH_MS = 30_000;

/**
 * Follows the clock that all replicas share (SESS-11): this host's own, corrected by what the database
 * says now and every 30 s. A database that does not answer leaves the correction as it was, and so does an
 * answer that agrees with it: in a look during which the process slept, when the answer was made is not known.
 */
export async function followClock(
  read: () => Promise<number>,
  local: () => number = Date.now,
  refreshMs: number = REFRESH_MS,
): Promise<DatabaseClock> {
  /** the correction lies between these: the answer was made after it was asked for, and before it came */
  const look = async (): Promise<readonly [least: number, most: number]> => {
    const before = local();
    const theirs = await read();
    return [theirs - local(), theirs - before];
  };
  const [least, most] = await look();
  let ahead = (least + most) / 2;
  const follow = async (): Promise<void> => {
    const [low, high] = await look();
    ahead = Math.min(Math.max(ahead, low), high);
  };
  const timer = setInterval(() => void follow().catch(() => undefined), refreshMs);
  timer.unref();
  return {
    now: () => Math.round(local() + ahead),
    stop: () => clearInterval(timer),
  };
}

const MOST_TRIES = 40;
const LONGEST_PAUSE_MS = 100;

const causeOf = (thrown: unknown): unknown =>
  thrown instanceof StoreUnavailableError ? thrown.cause : thrown;

/** Times that a transaction begins again because its connection broke before it was to be committed. */
const MOST_LOSSES = 3;

/**
 * Runs work in a serializable transaction, again as often as it lost a race, and where its connection broke before
 * its end: with whatever runs beside it, it comes to what one after the other would have come to. Work must change
 * nothing but the database. A connection that breaks while it commits leaves open whether it has.
 */
export async function alone<T>(
  db: Kysely<Tables>,
  work: (tx: Kysely<Tables>) => Promise<T>,
): Promise<T> {
  let losses = 0;
  for (let tries = 1; ; tries += 1) {
    let isDone = false;
    try {
      return await db
        .transaction()
        .setIsolationLevel("serializable")
        .execute(async (tx) => {
          const result = await work(tx);
          isDone = true;
          return result;
        });
    } catch (thrown) {
      const isOver = isDone || losses === MOST_LOSSES;
      if (!isOver && isLost(causeOf(thrown))) {
        losses += 1;
        continue;
      }
      if (!isRace(thrown)) throw thrown;
      if (tries === MOST_TRIES) throw busyError(thrown);
      await delay(Math.random() * Math.min(LONGEST_PAUSE_MS, 2 ** tries));
    }
  }
}

/** How a PostgreSQL store is opened. */
export interface PostgresOptions {
  /** `postgres://USER:PASSWORD@HOST:PORT/DATABASE`, with what libpq knows as parameters (`sslmode`) */
  readonly url: string;
  /** milliseconds since the epoch; the database's clock by default, which all replicas share */
  readonly now?: () => number;
  /** most connections at a time, 10 by default */
  readonly connections?: number;
}

const CONNECTIONS = 10;

/** Where the tables are, so that the database may hold other things, too. */
const SCHEMA = "plasm";

const kyselyOn = (pool: PostgresPool): Kysely<Tables> =>
  new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }).withSchema(SCHEMA);

/** On a connection of its own, which waits as long as another replica's migration takes. */
async function migrate(url: string): Promise<void> {
  const pool = await openPool({ url, max: 1, patient: true });
  try {
    await checkServer(pool);
    await migrateToLatest(kyselyOn(kyselyPool(pool)), { types: postgresTypes, schemaName: SCHEMA });
  } finally {
    await pool.end();
  }
}

async function clockOf(db: Kysely<Tables>): Promise<DatabaseClock> {
  const query = sql<{
    ms: number;
  }>`select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`;
  return followClock(async () => {
    const { rows } = await query.execute(db);
    return rows[0]?.ms ?? Date.now();
  });
}

/** Takes a write lock and changes nothing: it fails where the database cannot be written. */
const takeWriteLock = (db: Kysely<Tables>) =>
  db
    .updateTable("counters")
    .set((e) => ({ next: e.ref("next") }))
    .where(sql<boolean>`1 = 0`)
    .execute();

/** How long a look whether the store can be written may take, in ms: below the 10 s that who asks for it waits. */
const PROBE_MS = 8_000;

const tooLate = (): StoreUnavailableError =>
  new StoreUnavailableError(
    `The store cannot be used now: it did not answer within ${PROBE_MS / 1_000} s`,
  );

/** Fails where a look takes too long; who looks while another look is under way waits for that one. */
function withinTime(look: () => Promise<void>): () => Promise<void> {
  let looking: Promise<void> | null = null;
  return () => {
    looking ??= look().finally(() => (looking = null));
    return withinServedTime(looking, PROBE_MS, tooLate);
  };
}

/**
 * Opens the store that replicas share, migrated to the newest schema (SESS-33): any of them serves any
 * session. Every write is durable before its promise resolves, as far as the server's own settings
 * have it. Throws StoreUnavailableError, whose message says host, port and database, never the password.
 */
export async function openPostgresStore(options: PostgresOptions): Promise<Store> {
  const { url, connections: max = CONNECTIONS } = options;
  const address = await readAddress(url);
  try {
    await migrate(url);
    // What reads together is loaded by who has a PostgreSQL alone, as its driver is.
    const { gatheredGets } = await import("./gathered-gets.ts");
    const pool = await openPool({ url, max });
    const connections = kyselyPool(pool);
    const db = kyselyOn(connections);
    const urgent = kyselyOn(connections.urgent);
    const clock = await clockOf(db);
    const store = storeOn({
      db,
      now: options.now ?? clock.now,
      alone: (work) => alone(db, work),
      // How many wait for the store is not asked for.
      ping: withinTime(() => alone(urgent, async (tx) => void (await takeWriteLock(tx)))),
      close: async () => {
        clock.stop();
        await db.destroy();
      },
    });
    return {
      ...store,
      get: gatheredGets(db),
      sessionAtSlot: (asked) => sessionAtSlot(db, (options.now ?? clock.now)(), asked),
      // Health asks for these, too.
      urgent: opsOn(urgent, options.now ?? clock.now),
      size: () => sizeOf(urgent),
      reclaim: () => reclaimSpace(db),
    };
  } catch (thrown) {
    throw openingError(address, thrown);
  }
}

const readsOnly = (): Promise<never> => Promise.reject(new Error("This store is open to read"));

/**
 * Opens the store that replicas share to read it: nothing is made, written or migrated. Null where there is none. Throws
 * StoreUnavailableError, also for one of an earlier program.
 */
export async function readPostgresStore({ url, now }: PostgresOptions): Promise<Store | null> {
  const address = await readAddress(url);
  try {
    const pool = await openPool({ url, max: 1 });
    const db = kyselyOn(kyselyPool(pool));
    try {
      await checkServer(pool);
      await pool.query("set default_transaction_read_only = on");
      if (!(await isNewest(db, { types: postgresTypes, schemaName: SCHEMA }))) {
        await db.destroy();
        return null;
      }
      const clock = await clockOf(db);
      const close = async () => {
        clock.stop();
        await db.destroy();
      };
      return storeOn({ db, now: now ?? clock.now, alone: readsOnly, ping: readsOnly, close });
    } catch (thrown) {
      await db.destroy();
      throw thrown;
    }
  } catch (thrown) {
    throw openingError(address, thrown);
  }
}

export const postgresTypes: DialectTypes = {
  text: sql`text collate "C"`,
  bytes: "bytea",
  rowNumber: {
    type: "bigint",
    build: (column) => column.generatedAlwaysAsIdentity().primaryKey(),
  },
};

/** The oldest major version that this is tried with, or near to it. */
const OLDEST = 14;

interface ServerFacts {
  /** like 180004 */
  readonly version: number;
  readonly encoding: string;
  readonly standby: boolean;
}

/** Why a server cannot hold the store; null if it can. */
export function unfit({ version, encoding, standby }: ServerFacts): string | null {
  const major = Math.floor(version / 10_000);
  if (major < OLDEST) return `it is PostgreSQL ${major}, and ${OLDEST} is the oldest that will do`;
  if (encoding !== "UTF8") {
    return `its encoding is ${encoding}: make the database with "create database NAME encoding 'UTF8' template template0"`;
  }
  return standby ? "it is a standby that cannot be written: name the primary" : null;
}

const FACTS = `select current_setting('server_version_num')::int as version,
  current_setting('server_encoding') as encoding, pg_is_in_recovery() as standby`;

/** Connects, and throws if this is no server for the store. */
async function checkServer(pool: Pool): Promise<void> {
  const { rows } = await pool.query<ServerFacts>(FACTS);
  const [facts] = rows;
  const why = facts === undefined ? "it does not say what it is" : unfit(facts);
  if (why !== null) throw new Error(why);
}

/** What a row takes besides what stands in it: its head, and its places in indexes. */
const ROW_BYTES = 200;

/**
 * What rows take that are there, as their table keeps them: rows that are gone stay in it until they are vacuumed, and do not
 * count. The sizes of columns are read without their content.
 */
async function sizeOf(db: Kysely<Tables>): Promise<StoreSize> {
  const row = (column: string) =>
    sql`coalesce(sum(pg_column_size(${sql.ref(column)}) + ${sql.lit(ROW_BYTES)}), 0)`;
  const { rows } = await sql<{ used: string; ondisk: string }>`select
    (select ${row("body")} from plasm.records) + (select ${row("bytes")} from plasm.blobs)
      + (select ${row("body")} from plasm.waves) + (select ${row("body")} from plasm.catalogs)
      + (select ${row("body")} from plasm.execute_sessions) as used,
    (select coalesce(sum(pg_total_relation_size(c.oid)), 0) from pg_class c
      join pg_namespace n on n.oid = c.relnamespace where n.nspname = 'plasm' and c.relkind = 'r') as ondisk`.execute(
    db,
  );
  const [found] = rows;
  return { used: Number(found?.used ?? 0), onDisk: Number(found?.ondisk ?? 0) };
}

/** Lets the space of rows that are gone be used again; what is free at the end of a table goes back to the disk. */
async function reclaimSpace(db: Kysely<Tables>): Promise<void> {
  for (const table of ["records", "blobs", "waves"]) {
    await sql`vacuum ${sql.table(`plasm.${table}`)}`.execute(db);
  }
}
