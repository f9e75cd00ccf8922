import type { Aged, ListedTypes, RecordKind, RecordTypes } from "@plasm/agent-core";
import { sql } from "kysely";
import type { Db } from "../schema/tables.ts";
import { blobOf, isKnownKind } from "./blobs.ts";
import { textBytes } from "./texts.ts";

/** Records of a kind, of all scopes, whose age counts from `until` or earlier, the oldest first. */
export async function agedRecords<K extends RecordKind>(
  db: Db,
  kind: K,
  until: number,
  limit: number,
): Promise<readonly Aged<ListedTypes[K]>[]> {
  const rows = await db
    .selectFrom("records")
    .select(["scope", "id", "version", "body", "aged_from"])
    .select((e) => textBytes(e, "all").as("texts"))
    .where("kind", "=", kind)
    .where("aged_from", "<=", until)
    .orderBy("aged_from")
    .limit(limit)
    .execute();
  return rows.map(({ scope, id, version, body, aged_from: from, texts }) => ({
    scope,
    id,
    version,
    value: JSON.parse(body) as ListedTypes[K],
    agedFrom: Number(from),
    textBytes: Number(texts),
  }));
}

export async function ageFrom(
  db: Db,
  kind: RecordKind,
  scope: string,
  id: string,
  from: number,
): Promise<void> {
  await db
    .updateTable("records")
    .set({ aged_from: from })
    .where((e) => e.and({ kind, scope, id }))
    .execute();
}

/** As the index of them says it. */
const UNSETTLED = sql<boolean>`coalesce(settled, 0) <> version`;

/** Rows that an earlier program wrote: what they name is not known yet. */
export async function unsettledRecords(db: Db): Promise<boolean> {
  const row = await db
    .selectFrom("records")
    .select("seq")
    .where(UNSETTLED)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Notes of rows that an earlier program wrote what they name, and counts their age from now. Those of a kind that no
 * program reads any more go: rows of a later program have been settled by it.
 */
export async function settleRecords(db: Db, now: number, limit: number): Promise<number> {
  const rows = await db
    .selectFrom("records")
    .select(["seq", "kind", "version", "body"])
    .where(UNSETTLED)
    .orderBy("seq")
    .limit(limit)
    .execute();
  for (const { seq, kind, version, body } of rows) {
    if (!isKnownKind(kind)) {
      await db.deleteFrom("records").where("seq", "=", seq).execute();
      continue;
    }
    const value = JSON.parse(body) as RecordTypes[RecordKind];
    await db
      .updateTable("records")
      .set({ aged_from: now, blob: blobOf(kind, value), settled: version })
      .where("seq", "=", seq)
      .execute();
  }
  return rows.length;
}
