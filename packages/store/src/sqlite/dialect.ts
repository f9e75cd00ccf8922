import {
  CompiledQuery,
  SqliteAdapter,
  SqliteDialect,
  SqliteDriver,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
  type SqliteDatabase,
} from "kysely";
import type { AtOnce } from "../queries/fixed.ts";
import { Turns } from "../turns.ts";

const BEGIN = CompiledQuery.raw("begin immediate");

/**
 * Takes the write lock when a transaction begins: a deferred one fails with a busy error when
 * another process has written between its first read and its first write. The one connection is taken in
 * turns: kysely's own lock wakes all who wait whenever one leaves.
 */
class ImmediateDriver extends SqliteDriver {
  readonly #turns: Turns;

  constructor(database: SqliteDatabase, turns: Turns) {
    super({ database });
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
}

/**
 * Migrations run in one transaction, so that of two processes opening a fresh directory the second
 * waits for the first instead of creating its tables again. Queries that are compiled go straight to the database, on
 * the same connection in the same turns.
 */
class ImmediateAdapter extends SqliteAdapter implements AtOnce {
  readonly #database: SqliteDatabase;
  readonly #turns: Turns;

  constructor(database: SqliteDatabase, turns: Turns) {
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
  readonly #database: SqliteDatabase;
  readonly #turns = new Turns();

  constructor(database: SqliteDatabase) {
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

export const sqliteDialect = (database: SqliteDatabase): SqliteDialect =>
  new ImmediateDialect(database);
