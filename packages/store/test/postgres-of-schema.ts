import pg from "pg";
import { Kysely, PostgresDialect } from "kysely";
import { allSteps, migrateToLatest } from "../src/migrations/migrate.ts";
import { postgresTypes } from "../src/postgres/open.ts";
import type { Tables } from "../src/schema/tables.ts";

/** Makes the tables of a schema that had taken these steps alone. */
export async function postgresOfSchema(url: string, steps: readonly string[]): Promise<void> {
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }).withSchema("plasm");
  const taken = Object.fromEntries(
    Object.entries(allSteps).filter(([name]) => steps.includes(name)),
  );
  await migrateToLatest(db, { types: postgresTypes, schemaName: "plasm" }, taken);
  await db.destroy();
}
