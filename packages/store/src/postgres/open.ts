import type { Store } from "@plasm/agent-core";
import { Kysely, PostgresDialect, type PostgresPool, sql } from "kysely";
import { migrateToLatest } from "../migrations/migrate.ts";
import { opsOn } from "../queries/ops.ts";
import { storeOn } from "../queries/store.ts";
import type { Tables } from "../schema/tables.ts";
import { readAddress } from "./address.ts";
import { alone } from "./alone.ts";
import { checkServer } from "./check-server.ts";
import { followClock, type DatabaseClock } from "./clock.ts";
import { postgresTypes } from "./column-types.ts";
import { kyselyPool, openPool } from "./pool.ts";
import { withinServedTime } from "./served-time.ts";
import { reclaimSpace, sizeOf } from "./space.ts";
import { StoreUnavailableError } from "../store-unavailable-error.ts";
import { openingError } from "./postgres-error.ts";

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
      // Health asks for these, too.
      urgent: opsOn(urgent, options.now ?? clock.now),
      size: () => sizeOf(urgent),
      reclaim: () => reclaimSpace(db),
    };
  } catch (thrown) {
    throw openingError(address, thrown);
  }
}
