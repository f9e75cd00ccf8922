import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { openPool } from "../postgres/pool.ts";
import { openPostgresStore } from "../postgres/open.ts";
import { openSqliteStore } from "../sqlite/open.ts";
import {
  loaded,
  OWN_KIND,
  columnName,
  type StorePlace,
  TABLE_NAMES,
  type TableName,
  type TableRows,
} from "./tables.ts";

/** Why a store is not written to. */
export class StoreNotEmptyError extends Error {
  override readonly name = "StoreNotEmptyError";
}

type Value = string | number | null | Buffer;

/** A database within the one transaction in which it is restored. */
interface Target {
  /** rows that are there, the few aside that a store makes by itself */
  count(table: TableName): Promise<number>;
  clear(table: TableName): Promise<void>;
  columns(table: TableName): Promise<ReadonlySet<string>>;
  insert(table: TableName, columns: readonly string[], rows: readonly Value[][]): Promise<void>;
}

interface LoadOptions {
  /** removes what is there before */
  readonly replace: boolean;
}

const newer = (what: string): Error =>
  new Error(`a newer Plasm made it: it has ${what}. Use that version or a later one`);

/** Fills a store that is empty, or is emptied. */
async function fill(
  target: Target,
  parts: AsyncIterable<TableRows>,
  { replace }: LoadOptions,
): Promise<ReadonlyMap<TableName, number>> {
  const found = await Promise.all(TABLE_NAMES.map((table) => target.count(table)));
  if (!replace && found.some((count) => count > 0)) {
    throw new StoreNotEmptyError("the store is not empty");
  }
  for (const table of TABLE_NAMES) await target.clear(table);
  const written = new Map<TableName, number>();
  for await (const { table, columns, rows } of parts) {
    if (!TABLE_NAMES.includes(table)) throw newer(`a table ${table}`);
    const known = await target.columns(table);
    const unknown = columns.find((column) => !known.has(column));
    if (unknown !== undefined) {
      throw newer(`a column ${unknown} in ${table}`);
    }
    await target.insert(
      table,
      columns,
      rows.map((row) => row.map(loaded)),
    );
    written.set(table, (written.get(table) ?? 0) + rows.length);
  }
  return written;
}

const isOwn = (table: TableName): string =>
  table === "records" ? ` where kind <> '${OWN_KIND}'` : "";

function sqliteTarget(database: DatabaseSync): Target {
  return {
    count: async (table) => {
      const row = database.prepare(`select count(*) as n from ${table}${isOwn(table)}`).get();
      return Number(row?.["n"] ?? 0);
    },
    clear: async (table) => database.exec(`delete from ${table}`),
    columns: async (table) => {
      const columns = database.prepare(`select * from ${table}`).columns();
      return new Set(columns.map(({ name }) => name));
    },
    insert: async (table, columns, rows) => {
      const places = columns.map(() => "?").join(", ");
      const statement = database.prepare(
        `insert into ${table} (${columns.map(columnName).join(", ")}) values (${places})`,
      );
      for (const row of rows) statement.run(...row);
    },
  };
}

async function loadSqlite(
  dataDir: string,
  parts: AsyncIterable<TableRows>,
  options: LoadOptions,
): Promise<ReadonlyMap<TableName, number>> {
  // Made, or brought to the newest schema.
  await (await openSqliteStore({ dataDir })).close();
  const database = new DatabaseSync(join(dataDir, "plasm.db"));
  try {
    database.exec("pragma busy_timeout = 10000; pragma synchronous = full; begin immediate");
    const written = await fill(sqliteTarget(database), parts, options);
    database.exec("commit");
    return written;
  } finally {
    // What was not committed is undone.
    database.close();
  }
}

async function loadPostgres(
  url: string,
  parts: AsyncIterable<TableRows>,
  options: LoadOptions,
): Promise<ReadonlyMap<TableName, number>> {
  await (await openPostgresStore({ url })).close();
  const pool = await openPool({ url, max: 1, patient: true });
  const client = await pool.connect();
  const nameOf = (table: TableName): string => `plasm.${table}`;
  try {
    await client.query("begin");
    await client.query(`lock table ${TABLE_NAMES.map(nameOf).join(", ")} in exclusive mode`);
    const target: Target = {
      count: async (table) => {
        const { rows } = await client.query<{ n: string }>(
          `select count(*) as n from ${nameOf(table)}${isOwn(table)}`,
        );
        return Number(rows[0]?.n ?? 0);
      },
      clear: async (table) => void (await client.query(`delete from ${nameOf(table)}`)),
      columns: async (table) => {
        const { fields } = await client.query(`select * from ${nameOf(table)} limit 0`);
        return new Set(fields.map(({ name }) => name));
      },
      insert: async (table, columns, rows) => {
        const line = (at: number): string =>
          `(${columns.map((_, n) => `$${at * columns.length + n + 1}`).join(", ")})`;
        await client.query(
          `insert into ${nameOf(table)} (${columns.map(columnName).join(", ")}) overriding system value
            values ${rows.map((_, at) => line(at)).join(", ")}`,
          rows.flat(),
        );
      },
    };
    const written = await fill(target, parts, options);
    // The next row comes behind those that have their numbers already.
    await client.query(
      `select setval(pg_get_serial_sequence('plasm.records', 'seq'), (select coalesce(max(seq), 0) + 1 from plasm.records), false)`,
    );
    await client.query("commit");
    return written;
  } finally {
    client.release(true);
    await pool.end();
  }
}

/**
 * Writes what a backup has into a store, all of it or nothing, on either database (OPS-55). Throws StoreNotEmptyError,
 * StoreUnavailableError, and what a database says.
 */
export const loadStore = (
  { dataDir, url }: StorePlace,
  parts: AsyncIterable<TableRows>,
  options: LoadOptions,
): Promise<ReadonlyMap<TableName, number>> =>
  url === null ? loadSqlite(dataDir, parts, options) : loadPostgres(url, parts, options);
