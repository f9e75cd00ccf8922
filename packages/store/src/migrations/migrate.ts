import type { Kysely } from "kysely";
import { Migrator, type Migration } from "kysely/migration";
import type { Tables } from "../schema/tables.ts";
import { first } from "./0001-first.ts";

const migrations: Readonly<Record<string, Migration>> = { "0001-first": first };

/** Brings a database to the newest schema; forward only. Throws the first failure. */
export async function migrateToLatest(db: Kysely<Tables>): Promise<void> {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => ({ ...migrations }) },
  });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw new Error("The schema could not be migrated", { cause: error });
}
