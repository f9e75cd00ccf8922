import {
  CompiledQuery,
  SqliteAdapter,
  SqliteDialect,
  SqliteDriver,
  type DatabaseConnection,
  type Driver,
  type SqliteDatabase,
} from "kysely";

/**
 * Takes the write lock when a transaction begins: a deferred one fails with a busy error when
 * another process has written between its first read and its first write.
 */
class ImmediateDriver extends SqliteDriver {
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw("begin immediate"));
  }
}

/**
 * Migrations run in one transaction, so that of two processes opening a fresh directory the second
 * waits for the first instead of creating its tables again.
 */
class TransactionalDdlAdapter extends SqliteAdapter {
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
