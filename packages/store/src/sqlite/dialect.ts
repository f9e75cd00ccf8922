import {
  CompiledQuery,
  SqliteAdapter,
  SqliteDialect,
  SqliteDriver,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
} from "kysely";
import type { AtOnce } from "../queries/fixed.ts";
import { Turns } from "../turns.ts";
import type { NodeSqlite } from "./node-sqlite.ts";

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
