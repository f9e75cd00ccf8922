import type { PostgresPool, PostgresPoolClient } from "kysely";
import type { Pool, PoolClient, PoolConfig } from "pg";
import { Turns } from "../turns.ts";
import { postgresError } from "./postgres-error.ts";

/** How long a connection, a statement, a lock and an idle transaction may take, in ms. */
const CONNECT_MS = 10_000;
const STATEMENT_MS = 30_000;
const LOCK_MS = 10_000;
const IDLE_IN_TRANSACTION_MS = 30_000;

export interface PoolSettings {
  readonly url: string;
  /** most connections at a time */
  readonly max: number;
  /** statements take as long as they take: for migrations */
  readonly patient?: boolean;
}

/** A pool of connections; one that breaks while idle is dropped, and the next call makes another. */
export async function openPool({ url, max, patient = false }: PoolSettings): Promise<Pool> {
  const { default: pg } = await import("pg");
  const limits: PoolConfig = patient
    ? {}
    : {
        statement_timeout: STATEMENT_MS,
        lock_timeout: LOCK_MS,
        idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
      };
  const pool = new pg.Pool({
    application_name: "plasm",
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    ...limits,
    connectionString: url,
    max,
  });
  pool.on("error", () => undefined);
  return pool;
}

/** PostgreSQL holds no U+0000 in a text; what has one is found nowhere, like a lone surrogate. */
const held = (value: unknown): unknown =>
  typeof value === "string" && value.includes("\0") ? value.replaceAll("\0", "\u{fffd}") : value;

async function told<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    throw postgresError(thrown);
  }
}

/** More than the queries of the store have texts; those with lists of parameters make a few more. */
const MOST_STATEMENTS = 200;

/** Names of statements by their text: a connection plans a named one once, which costs more than most do. */
function statementNames(): (text: string) => string | undefined {
  const names = new Map<string, string>();
  return (text) => {
    if (names.size < MOST_STATEMENTS && !names.has(text)) names.set(text, `plasm_${names.size}`);
    return names.get(text);
  };
}

function kyselyClient(
  client: PoolClient,
  nameOf: (text: string) => string | undefined,
  left: () => void,
): PostgresPoolClient {
  // One that breaks while it is lent says so to nobody else: the next query of it fails.
  client.on("error", () => undefined);
  const query = (text: string, parameters: readonly unknown[]) =>
    told(() => {
      const name = nameOf(text);
      return client.query({
        text,
        values: parameters.map(held),
        ...(name === undefined ? {} : { name }),
      });
    });
  return {
    query: query as unknown as PostgresPoolClient["query"],
    release: (destroy) => {
      client.release(destroy);
      left();
    },
  };
}

/**
 * The pool in the shape kysely's dialect expects, its errors told apart. Who finds all connections lent waits for
 * as long as others have them: the pool itself would count that as time to connect, and refuse a crowd.
 */
export function kyselyPool(pool: Pick<Pool, "connect" | "end" | "options">): PostgresPool {
  const known = new WeakMap<PoolClient, PostgresPoolClient>();
  const nameOf = statementNames();
  const turns = new Turns(pool.options.max);
  return {
    options: {},
    end: () => pool.end(),
    connect: async () => {
      await turns.take();
      try {
        const client = await told(() => pool.connect());
        const wrapped = known.get(client) ?? kyselyClient(client, nameOf, () => turns.leave());
        known.set(client, wrapped);
        return wrapped;
      } catch (thrown) {
        turns.leave();
        throw thrown;
      }
    },
  };
}
