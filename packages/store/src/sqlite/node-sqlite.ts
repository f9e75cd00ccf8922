import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import type { SqliteDatabase, SqliteStatement } from "kysely";
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
export interface NodeSqlite extends SqliteDatabase {
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
