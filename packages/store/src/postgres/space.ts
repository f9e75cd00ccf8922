import type { StoreSize } from "@plasm/agent-core";
import { sql, type Kysely } from "kysely";
import type { Tables } from "../schema/tables.ts";

/** What a row takes besides what stands in it: its head, and its places in indexes. */
const ROW_BYTES = 200;

/**
 * What rows take that are there, as their table keeps them: rows that are gone stay in it until they are vacuumed, and do not
 * count. The sizes of columns are read without their content.
 */
export async function sizeOf(db: Kysely<Tables>): Promise<StoreSize> {
  const row = (column: string) =>
    sql`coalesce(sum(pg_column_size(${sql.ref(column)}) + ${sql.lit(ROW_BYTES)}), 0)`;
  const { rows } = await sql<{ used: string; ondisk: string }>`select
    (select ${row("body")} from plasm.records) + (select ${row("bytes")} from plasm.blobs)
      + (select ${row("body")} from plasm.waves) + (select ${row("body")} from plasm.catalogs)
      + (select ${row("body")} from plasm.execute_sessions) as used,
    (select coalesce(sum(pg_total_relation_size(c.oid)), 0) from pg_class c
      join pg_namespace n on n.oid = c.relnamespace where n.nspname = 'plasm' and c.relkind = 'r') as ondisk`.execute(
    db,
  );
  const [found] = rows;
  return { used: Number(found?.used ?? 0), onDisk: Number(found?.ondisk ?? 0) };
}

/** Lets the space of rows that are gone be used again; what is free at the end of a table goes back to the disk. */
export async function reclaimSpace(db: Kysely<Tables>): Promise<void> {
  for (const table of ["records", "blobs", "waves"]) {
    await sql`vacuum ${sql.table(`plasm.${table}`)}`.execute(db);
  }
}
