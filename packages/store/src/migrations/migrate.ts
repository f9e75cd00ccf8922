import type { Kysely } from "kysely";
import { Migrator } from "kysely/migration";
import type { DialectTypes, SchemaStep, Tables } from "../schema/tables.ts";
import { first, retention, texts } from "./steps.ts";

/** What a migration needs to know of its database. */
export interface SchemaRef {
  readonly types: DialectTypes;
  /** the schema that the tables are in, where the database has such */
  readonly schemaName?: string;
}

/** The steps that were taken, by a table that kysely keeps; none before the first. */
async function stepsTaken(db: Kysely<Tables>, place: SchemaRef): Promise<readonly string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  const { schemaName } = place;
  const kept = tables.some(
    ({ name, schema }) =>
      name === "kysely_migration" && (schemaName === undefined || schema === schemaName),
  );
  if (!kept) return [];
  const book = db as unknown as Kysely<{ kysely_migration: { name: string } }>;
  const rows = await book.selectFrom("kysely_migration").select("name").execute();
  return rows.map(({ name }) => name).toSorted();
}

/** Throws if a newer program has made steps that this one does not know. */
async function refuseNewer(
  db: Kysely<Tables>,
  place: SchemaRef,
  steps: Readonly<Record<string, SchemaStep>>,
): Promise<void> {
  const unknown = (await stepsTaken(db, place)).filter((name) => !Object.hasOwn(steps, name));
  if (unknown.length === 0) return;
  const known = Object.keys(steps).toSorted().at(-1);
  throw new Error(
    `a newer Plasm made its schema (${unknown.join(", ")}); this one knows it up to ${known}. Use that version or a later one`,
  );
}

/**
 * Brings a database to the newest schema; forward only. Of several processes that do so at once one
 * does it and the others wait. Throws the first failure, and for a schema newer than `steps`; then
 * nothing has changed.
 */
export async function migrateToLatest(
  db: Kysely<Tables>,
  place: SchemaRef,
  steps: Readonly<Record<string, SchemaStep>> = allSteps,
): Promise<void> {
  await refuseNewer(db, place, steps);
  const { types, schemaName } = place;
  const migrations = Object.entries(steps).map(([name, step]) => {
    const up = (on: Kysely<Tables>): Promise<void> => step(on.schema, types);
    return [name, { up }] as const;
  });
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => Object.fromEntries(migrations) },
    ...(schemaName === undefined ? {} : { migrationTableSchema: schemaName }),
  });
  const { error } = await migrator.migrateToLatest();
  if (error === undefined) return;
  await refuseNewer(db, place, steps);
  throw new Error("The schema could not be migrated", { cause: error });
}

/**
 * Whether a database has the newest schema, for who only reads; false where it has none at all. Throws where it has another: of an
 * earlier program, or of a newer one.
 */
export async function isNewest(db: Kysely<Tables>, place: SchemaRef): Promise<boolean> {
  await refuseNewer(db, place, allSteps);
  const taken = await stepsTaken(db, place);
  if (taken.length === 0) return false;
  const missing = Object.keys(allSteps).filter((step) => !taken.includes(step));
  if (missing.length === 0) return true;
  throw new Error(
    `an earlier Plasm made its schema (${missing.join(", ")} is missing), and what only reads brings nothing up to date: plasm serve does`,
  );
}

/** Every step, by a name that sorts after those before it. */
export const allSteps: Readonly<Record<string, SchemaStep>> = Object.freeze({
  "0001-first": first,
  "0002-retention": retention,
  "0003-texts": texts,
});
