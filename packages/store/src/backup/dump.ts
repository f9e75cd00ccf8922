import { existsSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { PoolClient } from "pg";
import { openPool } from "../postgres/pool.ts";
import { StoreUnavailableError } from "../store-unavailable-error.ts";
import {
  type DumpedValue,
  dumped,
  portionOf,
  type StorePlace,
  TABLE_NAMES,
  type TableName,
  type TableRows,
} from "./tables.ts";

/** Reads all of a data directory's store as of one moment, while others write to it. */
async function* dumpSqlite(dataDir: string): AsyncGenerator<TableRows> {
  const path = join(dataDir, "plasm.db");
  if (!existsSync(path)) {
    throw new StoreUnavailableError(`There is no store in ${dataDir}: it has no plasm.db.`);
  }
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    // What others write from the first read on is not seen; they do not wait.
    database.exec("pragma busy_timeout = 10000; begin");
    for (const table of TABLE_NAMES) {
      const statement = database.prepare(`select * from ${table}`);
      const columns = statement.columns().map(({ name }) => name);
      let rows: DumpedValue[][] = [];
      for (const row of statement.iterate()) {
        rows.push(columns.map((column) => dumped(column, row[column])));
        if (rows.length < portionOf(table)) continue;
        yield { table, columns, rows };
        rows = [];
      }
      if (rows.length > 0) yield { table, columns, rows };
    }
  } finally {
    database.close();
  }
}

async function* dumpTable(client: PoolClient, table: TableName): AsyncGenerator<TableRows> {
  await client.query(`declare plasm_dump no scroll cursor for select * from plasm.${table}`);
  for (;;) {
    const { rows, fields } = await client.query<Record<string, unknown>>(
      `fetch ${portionOf(table)} from plasm_dump`,
    );
    if (rows.length === 0) break;
    const columns = fields.map(({ name }) => name);
    const values = rows.map((row) => columns.map((column) => dumped(column, row[column])));
    yield { table, columns, rows: values };
  }
  await client.query("close plasm_dump");
}

/** The same of a PostgreSQL, in one transaction that sees one state of it. */
async function* dumpPostgres(url: string): AsyncGenerator<TableRows> {
  const pool = await openPool({ url, max: 1, patient: true });
  const client = await pool.connect();
  try {
    await client.query("begin isolation level repeatable read read only");
    for (const table of TABLE_NAMES) yield* dumpTable(client, table);
    await client.query("commit");
  } finally {
    client.release(true);
    await pool.end();
  }
}

/**
 * Reads every row of a store as of one moment, portion by portion, while servers use it (OPS-54). Secrets are in it as they are kept:
 * keys as hashes. Throws StoreUnavailableError, and what a database says.
 */
export const dumpStore = ({ dataDir, url }: StorePlace): AsyncGenerator<TableRows> =>
  url === null ? dumpSqlite(dataDir) : dumpPostgres(url);
