import type {
  Aged,
  ExecuteSession,
  ListedTypes,
  RecordKind,
  RecordTypes,
  SessionKey,
  StoreUpkeep,
  Usage,
  WaveRecord,
} from "@plasm/agent-core";
import { type Kysely, sql } from "kysely";
import type { Db, Tables } from "../schema/tables.ts";
import { blobOf, isKnownKind } from "./blobs.ts";
import { freeSlots, removeCounters } from "./numbers.ts";
import { removeRecord, removeRecords } from "./records.ts";
import { decodeSession } from "./sessions.ts";
import { isText, textBytes } from "./texts.ts";

/** Records of a kind, of all scopes, whose age counts from `until` or earlier, the oldest first. */
async function agedRecords<K extends RecordKind>(
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

async function ageFrom(
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
async function unsettledRecords(db: Db): Promise<boolean> {
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
async function settleRecords(db: Db, now: number, limit: number): Promise<number> {
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

/** Audit logs are no part of a tenant's bytes: nobody could free them (OPS-43). */
const AUDIT_RECORDS: readonly RecordKind[] = ["auditEvent", "auditHead", "auditLine"];

/** What sweeps need, over one database or one of its transactions. */
export const upkeepOn = (db: Kysely<Tables>, now: () => number): StoreUpkeep => ({
  aged: (kind, until, limit) => agedRecords(db, kind, until, limit),
  ageFrom: (kind, scope, id, from) => ageFrom(db, kind, scope, id, from),
  remove: (kind, scope, id, version) => removeRecord(db, kind, scope, id, version),
  removeAll: (kind, scope, prefix) => removeRecords(db, kind, scope, prefix),
  removeCounters: (owner) => removeCounters(db, owner),
  freeSlots: (logicalId) => freeSlots(db, logicalId),
  expiredSessions: (but, limit) => expiredSessions(db, now(), but, limit),
  endSession: (key) => endSession(db, now(), key),
  endedSessions: (until, limit) => endedSessions(db, until, limit),
  removeSession: (key) => removeSession(db, key),
  removeCatalogs: (until, limit) => removeCatalogs(db, until, limit),
  removeBlobs: (until, limit) => removeBlobs(db, until, limit),
  settle: async (limit) =>
    (await settleRecords(db, now(), limit)) +
    (await settleWaves(db, limit)) +
    (await settleBlobs(db, now(), limit)),
  usage: (after, limit) => usageAfter(db, after, limit),
});

/**
 * What each scope has of the next records in the order they were inserted, with the content that they name; a text
 * that several of a scope have is that of the first.
 */
async function usageAfter(db: Kysely<Tables>, after: number, limit: number): Promise<Usage> {
  const size = sql<number | string>`octet_length(body)`;
  const named = sql<number | string>`coalesce(octet_length(bytes), 0)`;
  const rows = await db
    .selectFrom("records")
    .leftJoin("blobs", "blobs.sha256", "records.blob")
    .select(["records.seq", "records.scope", size.as("size"), named.as("named")])
    .select((e) => textBytes(e, "first").as("texts"))
    .where("records.seq", ">", after)
    .where("records.kind", "not in", AUDIT_RECORDS)
    .orderBy("records.seq")
    .limit(limit)
    .execute();
  const bytes = new Map<string, number>();
  for (const { scope, size: own, named: content, texts } of rows) {
    const all = Number(own) + Number(content) + Number(texts);
    bytes.set(scope, (bytes.get(scope) ?? 0) + all);
  }
  const last = rows.length < limit ? undefined : rows.at(-1);
  return { bytes, next: last === undefined ? null : Number(last.seq) };
}

/** Sessions whose lifetime is over, except for those of these ids. */
async function expiredSessions(
  db: Db,
  now: number,
  but: ReadonlySet<string>,
  limit: number,
): Promise<readonly ExecuteSession[]> {
  const query = db
    .selectFrom("execute_sessions")
    .select(["body", "expires_at", "ended_at"])
    .where("ended_at", "is", null)
    .where("expires_at", "<=", now);
  const rows = await (but.size === 0 ? query : query.where("session_id", "not in", [...but]))
    .orderBy("expires_at")
    .limit(limit)
    .execute();
  return rows.map(decodeSession);
}

/**
 * Ends a session in the statement that judges its expiry: a look-up renews it before, or finds it lost
 * after (SESS-11). What is 0 is over whatever the clock says.
 */
async function endSession(db: Db, now: number, key: SessionKey): Promise<boolean> {
  const ended = await db
    .updateTable("execute_sessions")
    .set((e) => ({ ended_at: e.ref("expires_at"), expires_at: 0, reuse_key: null }))
    .where("session_id", "=", key.sessionId)
    .where("prompt_hash", "=", key.promptHash)
    .where("ended_at", "is", null)
    .where("expires_at", "<=", now)
    .executeTakeFirst();
  if (ended.numUpdatedRows === 0n) return false;
  await db.deleteFrom("waves").where("session_id", "=", key.sessionId).execute();
  return true;
}

async function endedSessions(
  db: Db,
  until: number,
  limit: number,
): Promise<readonly ExecuteSession[]> {
  const rows = await db
    .selectFrom("execute_sessions")
    .select(["body", "expires_at", "ended_at"])
    .where("ended_at", "<=", until)
    .orderBy("ended_at")
    .limit(limit)
    .execute();
  return rows.map(decodeSession);
}

async function removeSession(db: Db, key: SessionKey): Promise<void> {
  await db
    .deleteFrom("execute_sessions")
    .where("session_id", "=", key.sessionId)
    .where("prompt_hash", "=", key.promptHash)
    .where(sql.ref("ended_at"), "is not", null)
    .execute();
}

/**
 * Removes blobs that no record names (SESS-30). Those that one names are not looked at again until they
 * lose one. None is removed while it is not known of every record what it names.
 */
async function removeBlobs(db: Db, until: number, limit: number): Promise<number> {
  if (await unsettledRecords(db)) return 0;
  const loose = await db
    .selectFrom("blobs")
    .select((e) => [
      "sha256",
      e
        .or([
          e.exists(
            e.selectFrom("records").select("seq").whereRef("records.blob", "=", "blobs.sha256"),
          ),
          isText(e),
        ])
        .as("named"),
    ])
    .where("loose_since", ">", 0)
    .where("loose_since", "<=", until)
    .orderBy("loose_since")
    .limit(limit)
    .execute();
  const named = loose.filter((one) => Boolean(one.named)).map(({ sha256 }) => sha256);
  const unused = loose.filter((one) => !one.named).map(({ sha256 }) => sha256);
  if (named.length > 0) {
    await db.updateTable("blobs").set({ loose_since: null }).where("sha256", "in", named).execute();
  }
  if (unused.length > 0) await db.deleteFrom("blobs").where("sha256", "in", unused).execute();
  return loose.length;
}

/** Blobs of an earlier program are loose from now on. */
async function settleBlobs(db: Db, now: number, limit: number): Promise<number> {
  const rows = await db
    .selectFrom("blobs")
    .select("sha256")
    .where("loose_since", "=", 0)
    .limit(limit)
    .execute();
  const names = rows.map(({ sha256 }) => sha256);
  if (names.length > 0) {
    await db.updateTable("blobs").set({ loose_since: now }).where("sha256", "in", names).execute();
  }
  return names.length;
}

/** Removes catalogs that are of no session's waves any more (SESS-12). */
async function removeCatalogs(db: Db, until: number, limit: number): Promise<number> {
  const unsettled = await db
    .selectFrom("waves")
    .select("n")
    .where("digest", "is", null)
    .limit(1)
    .executeTakeFirst();
  if (unsettled !== undefined) return 0;
  const rows = await db
    .selectFrom("catalogs")
    .select("digest")
    .where("pinned_at", "<=", until)
    .where((e) =>
      e.not(
        e.exists(
          e.selectFrom("waves").select("n").whereRef("waves.digest", "=", "catalogs.digest"),
        ),
      ),
    )
    .limit(limit)
    .execute();
  const digests = rows.map(({ digest }) => digest);
  if (digests.length > 0) await db.deleteFrom("catalogs").where("digest", "in", digests).execute();
  return digests.length;
}

/** Notes of waves that an earlier program wrote which catalog they are of. */
async function settleWaves(db: Db, limit: number): Promise<number> {
  const rows = await db
    .selectFrom("waves")
    .select(["session_id", "n", "body"])
    .where("digest", "is", null)
    .limit(limit)
    .execute();
  for (const { session_id: session, n, body } of rows) {
    const { entry } = JSON.parse(body) as WaveRecord;
    await db
      .updateTable("waves")
      .set({ digest: entry.digest })
      .where((e) => e.and({ session_id: session, n }))
      .execute();
  }
  return rows.length;
}
