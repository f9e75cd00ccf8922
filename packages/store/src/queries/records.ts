import type { RecordKind, RecordTypes, Stored } from "@plasm/agent-core";
import type { Kysely } from "kysely";
import type { Tables } from "../schema/tables.ts";

type Db = Kysely<Tables>;

/** No id has it: with ids in the order of their bytes, it ends the range of a prefix. */
const LAST_CHARACTER = "\u{10ffff}";

function decode<K extends RecordKind>(row: {
  id: string;
  version: number;
  body: string;
}): Stored<RecordTypes[K]> {
  return { id: row.id, version: row.version, value: JSON.parse(row.body) as RecordTypes[K] };
}

export async function getRecord<K extends RecordKind>(
  db: Db,
  kind: K,
  scope: string,
  id: string,
): Promise<Stored<RecordTypes[K]> | null> {
  const row = await db
    .selectFrom("records")
    .select(["id", "version", "body"])
    .where("kind", "=", kind)
    .where("scope", "=", scope)
    .where("id", "=", id)
    .executeTakeFirst();
  return row === undefined ? null : decode<K>(row);
}

export async function insertRecord<K extends RecordKind>(
  db: Db,
  kind: K,
  scope: string,
  id: string,
  value: RecordTypes[K],
): Promise<boolean> {
  const result = await db
    .insertInto("records")
    .values({ kind, scope, id, version: 1, body: JSON.stringify(value) })
    .onConflict((c) => c.columns(["kind", "scope", "id"]).doNothing())
    .executeTakeFirst();
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

export async function casRecord<K extends RecordKind>(
  db: Db,
  kind: K,
  scope: string,
  id: string,
  version: number,
  next: RecordTypes[K],
): Promise<boolean> {
  const result = await db
    .updateTable("records")
    .set({ version: version + 1, body: JSON.stringify(next) })
    .where("kind", "=", kind)
    .where("scope", "=", scope)
    .where("id", "=", id)
    .where("version", "=", version)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

export async function listRecords<K extends RecordKind>(
  db: Db,
  kind: K,
  scope: string,
  prefix: string,
): Promise<readonly Stored<RecordTypes[K]>[]> {
  const rows = await db
    .selectFrom("records")
    .select(["id", "version", "body"])
    .where("kind", "=", kind)
    .where("scope", "=", scope)
    .where("id", ">=", prefix)
    .where("id", "<", prefix + LAST_CHARACTER)
    .orderBy("seq")
    .execute();
  return rows.map((row) => decode<K>(row));
}

export async function deleteRecord(
  db: Db,
  kind: RecordKind,
  scope: string,
  id: string,
): Promise<void> {
  await db
    .deleteFrom("records")
    .where("kind", "=", kind)
    .where("scope", "=", scope)
    .where("id", "=", id)
    .execute();
}
