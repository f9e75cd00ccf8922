import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  SqliteDriver,
  type SqliteStatement,
} from "kysely";
import type { AtOnce } from "../queries/fixed.ts";
import { Turns } from "../turns.ts";
import { sqliteError } from "./sqlite-error.ts";

const inputs = (parameters: readonly unknown[]): SQLInputValue[] => parameters as SQLInputValue[];

/** More than the queries of the store have texts; lists of parameters make a few more. */
const MOST_STATEMENTS = 200;

function told<T>(work: () => T): T {
  try {
    return work();
  } catch (thrown) {
    throw sqliteError(thrown);
  }
}

function prepared(database: DatabaseSync, text: string): SqliteStatement {
  const statement = told(() => database.prepare(text));
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => told(() => statement.all(...inputs(parameters))),
    run: (parameters) => told(() => statement.run(...inputs(parameters))),
    iterate: (parameters) => told(() => statement.iterate(...inputs(parameters))),
  };
}

/** What the dialect needs to know of a connection beside its statements. */
interface NodeSqlite extends SqliteDatabase {
  /** whether a transaction is open: SQLite itself ends one on some faults of the disk */
  isInTransaction(): boolean;
}

/**
 * Node's own SQLite in the shape kysely's dialect expects of a driver. Statements are kept by their
 * text: preparing one costs more than most queries.
 */
export function nodeSqlite(database: DatabaseSync): NodeSqlite {
  const kept = new Map<string, SqliteStatement>();
  return {
    close: () => database.close(),
    isInTransaction: () => database.isTransaction,
    prepare(text): SqliteStatement {
      const known = kept.get(text);
      if (known !== undefined) return known;
      const [oldest] = kept.size < MOST_STATEMENTS ? [] : kept.keys();
      if (oldest !== undefined) kept.delete(oldest);
      const statement = prepared(database, text);
      kept.set(text, statement);
      return statement;
    },
  };
}

const BEGIN = CompiledQuery.raw("begin immediate");

/**
 * Takes the write lock when a transaction begins: a deferred one fails with a busy error when
 * another process has written between its first read and its first write. The one connection is taken in
 * turns: kysely's own lock wakes all who wait whenever one leaves.
 */
class ImmediateDriver extends SqliteDriver {
  readonly #turns: Turns;
  readonly #database: NodeSqlite;

  constructor(database: NodeSqlite, turns: Turns) {
    super({ database });
    this.#database = database;
    this.#turns = turns;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    await this.#turns.take();
    return super.acquireConnection();
  }

  override async releaseConnection(): Promise<void> {
    this.#turns.leave();
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(BEGIN);
  }

  /** A full disk makes SQLite roll back by itself; a second rollback would fail and hide that cause. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#database.isInTransaction()) await super.rollbackTransaction(connection);
  }
}

/**
 * Migrations run in one transaction, so that of two processes opening a fresh directory the second
 * waits for the first instead of creating its tables again. Queries that are compiled go straight to the database, on
 * the same connection in the same turns.
 */
class ImmediateAdapter extends SqliteAdapter implements AtOnce {
  readonly #database: NodeSqlite;
  readonly #turns: Turns;

  constructor(database: NodeSqlite, turns: Turns) {
    super();
    this.#database = database;
    this.#turns = turns;
  }

  async atOnce<Row>(
    text: string,
    parameters: readonly unknown[],
    isWithin: boolean,
  ): Promise<QueryResult<Row>> {
    if (isWithin) return this.#run(text, parameters);
    await this.#turns.take();
    try {
      return this.#run(text, parameters);
    } finally {
      this.#turns.leave();
    }
  }

  #run<Row>(text: string, parameters: readonly unknown[]): QueryResult<Row> {
    const statement = this.#database.prepare(text);
    if (statement.reader) return { rows: statement.all(parameters) as Row[] };
    const { changes } = statement.run(parameters);
    return { numAffectedRows: BigInt(changes), rows: [] };
  }

  /** As far as kysely is to know: the driver sees to it that there is one user at a time. */
  override get supportsMultipleConnections(): boolean {
    return true;
  }

  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

class ImmediateDialect extends SqliteDialect {
  readonly #database: NodeSqlite;
  readonly #turns = new Turns();

  constructor(database: NodeSqlite) {
    super({ database });
    this.#database = database;
  }

  override createAdapter(): SqliteAdapter {
    return new ImmediateAdapter(this.#database, this.#turns);
  }

  override createDriver(): Driver {
    return new ImmediateDriver(this.#database, this.#turns);
  }
}

export const sqliteDialect = (database: NodeSqlite): SqliteDialect =>
  new ImmediateDialect(database);
