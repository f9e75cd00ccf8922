import {
  CompiledQuery,
  SqliteAdapter,
  SqliteDialect,
  SqliteDriver,
  type DatabaseConnection,
  type Driver,
  type SqliteDatabase,
} from "kysely";
import { Turns } from "../turns.ts";

const BEGIN = CompiledQuery.raw("begin immediate");

/**
 * Takes the write lock when a transaction begins: a deferred one fails with a busy error when
 * another process has written between its first read and its first write. The one connection is taken in
 * turns: kysely's own lock wakes all who wait whenever one leaves.
 */
class ImmediateDriver extends SqliteDriver {
  readonly #turns = new Turns();

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
}

/**
 * Migrations run in one transaction, so that of two processes opening a fresh directory the second
 * waits for the first instead of creating its tables again.
 */
class TransactionalDdlAdapter extends SqliteAdapter {
  /** As far as kysely is to know: the driver sees to it that there is one user at a time. */
  override get supportsMultipleConnections(): boolean {
    return true;
  }

  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

class ImmediateDialect extends SqliteDialect {
  readonly #database: SqliteDatabase;

  constructor(database: SqliteDatabase) {
    super({ database });
    this.#database = database;
  }

  override createAdapter(): SqliteAdapter {
    return new TransactionalDdlAdapter();
  }

  override createDriver(): Driver {
    return new ImmediateDriver({ database: this.#database });
  }
}

export const sqliteDialect = (database: SqliteDatabase): SqliteDialect =>
  new ImmediateDialect(database);
