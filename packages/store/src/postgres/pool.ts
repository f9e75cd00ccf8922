import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import type { PostgresPool, PostgresPoolClient } from "kysely";
import type { Pool, PoolClient, PoolConfig } from "pg";
import { Turns } from "../turns.ts";
import {
  busyError,
  CONNECT_TIMEOUT,
  isHung,
  isLost,
  isRace,
  isUnsent,
  postgresError,
  READ_TIMEOUT,
} from "./postgres-error.ts";
import { Reach, ServedTimer, withinServedTime } from "./reach.ts";

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
  /** how long a connection may take to be made, in ms in which this process ran; 8 s without it */
  readonly connectMs?: number;
}

/** pg's client with a limit on connecting that leaves out time in which the loop was held. */
const clientWithin = (Client: typeof pg.Client, limitMs: number): typeof pg.Client =>
  class extends Client {
    constructor(config?: string | pg.ClientConfig) {
      super(config);
      const timer = new ServedTimer(limitMs);
      const { stream } = this.connection;
      void timer.over.then(() => stream.destroy(new Error(CONNECT_TIMEOUT)));
      for (const event of ["connect", "end"]) this.once(event, () => timer.stop());
    }
  };

/** A pool of connections; one that breaks while idle is dropped, and the next call makes another. */
export async function openPool(settings: PoolSettings): Promise<Pool> {
  const { url, max, patient = false, connectMs = CONNECT_MS } = settings;
  const { default: loaded } = await import("pg");
  const limits: PoolConfig = patient
    ? {}
    : {
        statement_timeout: STATEMENT_MS,
        // The server's own limit is of no use where nothing comes back from it.
        query_timeout: STATEMENT_MS + ON_THE_WAY_MS,
        lock_timeout: LOCK_MS,
        idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
      };
  const pool = new loaded.Pool({
    application_name: "plasm",
    Client: clientWithin(loaded.Client, connectMs),
    keepAlive: true,
    ...limits,
    connectionString: url,
    max,
  });
  pool.on("error", () => undefined);
  return pool;
}

/** PostgreSQL holds no U+0000 in a text; what has one is found nowhere, like a lone surrogate. */
function held(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(held);
  const isCut = typeof value === "string" && value.includes("\0");
  return isCut ? value.replaceAll("\0", "\u{fffd}") : value;
}

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

/** The state of a connection that is in no transaction. */
const IDLE = "I";
/** How often a statement that is in no transaction is tried again after it lost a race or stood in a deadlock. */
const MOST_RACES = 20;
const LONGEST_PAUSE_MS = 50;

/** What may be sent again where it was the first of a connection and no answer came: it changes nothing. */
const REPEATABLE = /^\s*(select|begin|start transaction)\b/i;

/** How connections of a pool are lent. */
interface Lending {
  readonly nameOf: (text: string) => string | undefined;
  /** how long a statement may take; undefined where it takes as long as it takes */
  readonly limitMs: number | undefined;
  readonly left: () => void;
}

/** Connections for whoever waits for a turn, and the same ones for who takes the next turn. */
export interface LentConnections extends PostgresPool {
  /** for looks at the store, which say how it is and not how many wait for it */
  readonly urgent: PostgresPool;
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
    for (let races = 0; ;) {
      const client = this.#client;
      if (client === null) throw new Error("A connection that was lost is used");
      const isAlone = client.getTransactionStatus() === IDLE;
      try {
        const answer: Promise<unknown> = client.query(query);
        const result = await (limitMs === undefined
          ? answer
          : withinServedTime(answer, limitMs, () => new Error(READ_TIMEOUT)));
        this.#fresh = false;
        this.#reach.answered();
        return result;
      } catch (thrown) {
        // What is not in a transaction was undone as a whole.
        if (isAlone && isRace(thrown)) {
          races += 1;
          if (races === MOST_RACES) throw busyError(thrown);
          await delay(Math.random() * LONGEST_PAUSE_MS);
          continue;
        }
        this.#note(thrown);
        const mayRepeat = REPEATABLE.test(text) || isUnsent(thrown);
        if (!isLost(thrown) || !this.#fresh || !mayRepeat) throw postgresError(thrown);
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
 * as long as others have them: that is no outage.
 */
export function kyselyPool(
  pool: Pick<Pool, "connect" | "end" | "options">,
  blipMs?: number,
): LentConnections {
  const nameOf = statementNames();
  const limitMs = pool.options.query_timeout;
  const turns = new Turns(pool.options.max);
  const reach = new Reach({ connect: () => pool.connect(), blipMs });
  const lendIn = (isUrgent: boolean): PostgresPool => ({
    options: {},
    end: () => pool.end(),
    connect: async () => {
      await turns.take(isUrgent);
      try {
        const client = await told(() => reach.connect());
        const lent = new LentClient(reach, client, { nameOf, limitMs, left: () => turns.leave() });
        return lent as unknown as PostgresPoolClient;
      } catch (thrown) {
        turns.leave();
        throw thrown;
      }
    },
  });
  return { ...lendIn(false), urgent: lendIn(true) };
}
