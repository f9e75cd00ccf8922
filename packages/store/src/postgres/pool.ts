import type { PostgresPool, PostgresPoolClient } from "kysely";
import type { Pool, PoolClient, PoolConfig } from "pg";
import { Turns } from "../turns.ts";
import { isHung, isLost, postgresError, READ_TIMEOUT } from "./postgres-error.ts";
import { Reach } from "./reach.ts";

/**
 * How long a connection, a statement, a lock and an idle transaction may take, in ms. A statement and a connection
 * together stay below the 30 s in which every call that waits for the store is answered.
 */
const CONNECT_MS = 8_000;
const STATEMENT_MS = 20_000;
const ON_THE_WAY_MS = 1_000;
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
        // The server's own limit is of no use where nothing comes back from it.
        query_timeout: STATEMENT_MS + ON_THE_WAY_MS,
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

/** The most that a timer takes: pg's own limit of a statement also counts time in which this process slept. */
const NEVER_MS = 2 ** 31 - 1;
/** Parts of a limit: a process that slept, or whose loop was held, has spent one of them at most. */
const PARTS = 20;

/** Waits for an answer for so many ms in which this process ran. Rejects as pg does. */
function withinServedTime<T>(answer: Promise<T>, limitMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    let left = PARTS;
    const timer = setInterval(() => {
      left -= 1;
      if (left === 0) settle(() => reject(new Error(READ_TIMEOUT)));
    }, limitMs / PARTS);
    const settle = (how: () => void): void => {
      clearInterval(timer);
      how();
    };
    answer.then(
      (value) => settle(() => resolve(value)),
      (thrown: unknown) => settle(() => reject(thrown)),
    );
  });
}

/** What may be sent again where it was the first of a connection and no answer came: it changes nothing. */
const REPEATABLE = /^\s*(select|begin|start transaction)\b/i;

/** How connections of a pool are lent. */
interface Lending {
  readonly nameOf: (text: string) => string | undefined;
  /** how long a statement may take; undefined where it takes as long as it takes */
  readonly limitMs: number | undefined;
  readonly left: () => void;
}

/**
 * A connection as kysely has it while it is lent. One that turns out to be broken before it has done anything gives
 * way to another one; one that broke later is not lent again.
 */
class LentClient {
  readonly #reach: Reach;
  readonly #nameOf: (text: string) => string | undefined;
  readonly #limitMs: number | undefined;
  readonly #left: () => void;
  /** null once none could be had */
  #client: PoolClient | null;
  #fresh = true;
  #broken = false;
  /** that nothing came back: what is sent after it waits for the same answer */
  #hung: { readonly thrown: unknown } | null = null;

  constructor(reach: Reach, client: PoolClient, { nameOf, limitMs, left }: Lending) {
    this.#reach = reach;
    this.#client = client;
    this.#nameOf = nameOf;
    this.#limitMs = limitMs;
    this.#left = left;
    listen(client);
  }

  async query(text: string, parameters: readonly unknown[]): Promise<unknown> {
    const name = this.#nameOf(text);
    const values = parameters.map(held);
    const limitMs = this.#limitMs;
    const query = {
      text,
      values,
      ...(name === undefined ? {} : { name }),
      ...(limitMs === undefined ? {} : { query_timeout: NEVER_MS }),
    };
    if (this.#hung !== null) throw postgresError(this.#hung.thrown);
    for (;;) {
      const client = this.#client;
      if (client === null) throw new Error("A connection that was lost is used");
      try {
        const answer: Promise<unknown> = client.query(query);
        const result = await (limitMs === undefined ? answer : withinServedTime(answer, limitMs));
        this.#fresh = false;
        return result;
      } catch (thrown) {
        this.#note(thrown);
        if (!isLost(thrown) || !this.#fresh || !REPEATABLE.test(text)) throw postgresError(thrown);
      }
      this.#client = null;
      client.release(true);
      const other = await told(() => this.#reach.connect());
      listen(other);
      this.#client = other;
      this.#broken = false;
    }
  }

  release(destroy = false): void {
    this.#client?.release(destroy || this.#broken);
    this.#left();
  }

  #note(thrown: unknown): void {
    if (isHung(thrown)) {
      this.#hung = { thrown };
      this.#reach.hung(thrown, STATEMENT_MS);
    } else if (isLost(thrown)) this.#reach.lost(thrown);
    else return;
    this.#broken = true;
  }
}

/** One that breaks while it is lent says so to nobody else: the next query of it fails. */
const ignore = (): void => undefined;
function listen(client: PoolClient): void {
  if (!client.listeners("error").includes(ignore)) client.on("error", ignore);
}

/**
 * The pool in the shape kysely's dialect expects, its errors told apart. Who finds all connections lent waits for
 * as long as others have them: the pool itself would count that as time to connect, and refuse a crowd.
 */
export function kyselyPool(
  pool: Pick<Pool, "connect" | "end" | "options">,
  blipMs?: number,
): PostgresPool {
  const nameOf = statementNames();
  const limitMs = pool.options.query_timeout;
  const turns = new Turns(pool.options.max);
  const reach = new Reach({ connect: () => pool.connect(), blipMs });
  return {
    options: {},
    end: () => pool.end(),
    connect: async () => {
      await turns.take();
      try {
        const client = await told(() => reach.connect());
        const lent = new LentClient(reach, client, { nameOf, limitMs, left: () => turns.leave() });
        return lent as unknown as PostgresPoolClient;
      } catch (thrown) {
        turns.leave();
        throw thrown;
      }
    },
  };
}
