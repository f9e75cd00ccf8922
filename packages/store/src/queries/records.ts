import type { RecordKind, RecordTypes, Stored } from "@plasm/agent-core";
import type { Expression, ExpressionBuilder, Kysely, SqlBool } from "kysely";
import type { Tables } from "../schema/tables.ts";
import { blobOf } from "./blob-of.ts";
import { fixed, written } from "./fixed.ts";

type Db = Kysely<Tables>;

/** What names a record. */
interface Id {
  readonly kind: RecordKind;
  readonly scope: string;
  readonly id: string;
}

/** What a write says of it. */
interface Written {
  readonly body: string;
  readonly now: number;
  readonly blob: string | null;
}

interface Versions {
  readonly version: number;
  readonly next: number;
}

/** No id has it: with ids in the order of their bytes, it ends the range of a prefix. */
const LAST_CHARACTER = "\u{10ffff}";

function decode<K extends RecordKind>(row: {
  id: string;
  version: number;
  body: string;
}): Stored<RecordTypes[K]> {
  return { id: row.id, version: row.version, value: JSON.parse(row.body) as RecordTypes[K] };
}

const byId = fixed((db, { kind, scope, id }: Id) =>
  db
    .selectFrom("records")
    .select(["id", "version", "body"])
    .where("kind", "=", kind)
    .where("scope", "=", scope)
    .where("id", "=", id),
);

export async function getRecord<K extends RecordKind>(
  db: Db,
  kind: K,
  scope: string,
  id: string,
): Promise<Stored<RecordTypes[K]> | null> {
  const [row] = (await byId(db, { kind, scope, id })).rows;
  return row === undefined ? null : decode<K>(row);
}

const inserting = fixed((db, record: Id & Written) =>
  db
    .insertInto("records")
    .values({
      kind: record.kind,
      scope: record.scope,
      id: record.id,
      version: 1,
      body: record.body,
      aged_from: record.now,
      blob: record.blob,
      settled: 1,
    })
    .onConflict((c) => c.columns(["kind", "scope", "id"]).doNothing()),
);

export async function insertRecord<K extends RecordKind>(
  db: Db,
  now: number,
  kind: K,
  scope: string,
  id: string,
  value: RecordTypes[K],
): Promise<boolean> {
  const [body, blob] = [JSON.stringify(value), blobOf(kind, value)];
  return written(await inserting(db, { kind, scope, id, body, now, blob })) > 0;
}

const replacing = fixed((db, record: Id & Written & Versions) =>
  db
    .updateTable("records")
    .set({
      version: record.next,
      body: record.body,
      aged_from: record.now,
      blob: record.blob,
      settled: record.next,
    })
    .where("kind", "=", record.kind)
    .where("scope", "=", record.scope)
    .where("id", "=", record.id)
    .where("version", "=", record.version),
);

export async function casRecord<K extends RecordKind>(
  db: Db,
  now: number,
  kind: K,
  scope: string,
  id: string,
  version: number,
  value: RecordTypes[K],
): Promise<boolean> {
  const [body, blob] = [JSON.stringify(value), blobOf(kind, value)];
  const record = { kind, scope, id, body, now, blob, version, next: version + 1 };
  return written(await replacing(db, record)) > 0;
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

/** Earlier than any look. */
const LONG_AGO = 1;

/** Names that one statement takes: databases have a limit. */
const MOST_NAMES = 1_000;

/**
 * A blob that loses a record which named it is looked at by a sweep, since others may name it, too: at once, if a sweep
 * has found it named since it was last written; nobody is about to name it then.
 */
async function loosen(db: Db, blobs: readonly string[]): Promise<void> {
  for (let from = 0; from < blobs.length; from += MOST_NAMES) {
    await db
      .updateTable("blobs")
      .set({ loose_since: LONG_AGO })
      .where("sha256", "in", blobs.slice(from, from + MOST_NAMES))
      .where("loose_since", "is", null)
      .execute();
  }
}

/** Removes what a condition says; true if there was any. */
async function removeWhere(
  db: Db,
  chosen: (e: ExpressionBuilder<Tables, "records">) => Expression<SqlBool>,
): Promise<boolean> {
  const removed = await db.deleteFrom("records").where(chosen).returning("blob").execute();
  const blobs = removed.flatMap(({ blob }) => (blob === null ? [] : [blob]));
  await loosen(db, blobs);
  return removed.length > 0;
}

export async function deleteRecord(
  db: Db,
  kind: RecordKind,
  scope: string,
  id: string,
): Promise<void> {
  await removeWhere(db, (e) => e.and({ kind, scope, id }));
}

/** Removes a record of this version. */
export const removeRecord = (
  db: Db,
  kind: RecordKind,
  scope: string,
  id: string,
  version: number,
): Promise<boolean> => removeWhere(db, (e) => e.and({ kind, scope, id, version }));

/** Removes the records whose id starts with a prefix. */
export async function removeRecords(
  db: Db,
  kind: RecordKind,
  scope: string,
  prefix: string,
): Promise<void> {
  await removeWhere(db, (e) =>
    e.and([e.and({ kind, scope }), e("id", ">=", prefix), e("id", "<", prefix + LAST_CHARACTER)]),
  );
}
