import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import type { SqliteDatabase, SqliteStatement } from "kysely";

const inputs = (parameters: readonly unknown[]): SQLInputValue[] => parameters as SQLInputValue[];

/** Node's own SQLite in the shape kysely's dialect expects of a driver. */
export function nodeSqlite(database: DatabaseSync): SqliteDatabase {
  return {
    close: () => database.close(),
    prepare(text): SqliteStatement {
      const statement = database.prepare(text);
      return {
        reader: statement.columns().length > 0,
        all: (parameters) => statement.all(...inputs(parameters)),
        run: (parameters) => statement.run(...inputs(parameters)),
        iterate: (parameters) => statement.iterate(...inputs(parameters)),
      };
    },
  };
}
