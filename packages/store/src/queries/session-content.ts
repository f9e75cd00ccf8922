import type { PinnedCatalog, SessionKey, WaveRecord } from "@plasm/agent-core";
import type { Db } from "../schema/tables.ts";
import { fixed } from "./fixed.ts";

/** How often a pin of what is there is written down: many open the same catalog at the same time. */
const NOTED_EVERY_MS = 600_000;

export async function pinCatalog(db: Db, now: number, catalog: PinnedCatalog): Promise<void> {
  const { digest } = catalog;
  const there = await db
    .selectFrom("catalogs")
    .select("pinned_at")
    .where("digest", "=", digest)
    .executeTakeFirst();
  if (there !== undefined && Math.abs(now - Number(there.pinned_at)) < NOTED_EVERY_MS) return;
  await db
    .insertInto("catalogs")
    .values({ digest, body: JSON.stringify(catalog), pinned_at: now })
    .onConflict((c) => c.column("digest").doUpdateSet({ pinned_at: now }))
    .execute();
}

export async function pinnedCatalog(db: Db, digest: string): Promise<PinnedCatalog | null> {
  const row = await db
    .selectFrom("catalogs")
    .select("body")
    .where("digest", "=", digest)
    .executeTakeFirst();
  return row === undefined ? null : (JSON.parse(row.body) as PinnedCatalog);
}

const known = fixed((db, { digest }: { digest: string }) =>
  db.selectFrom("catalogs").select("digest").where("digest", "=", digest),
);

export const isPinned = async (db: Db, digest: string): Promise<boolean> =>
  (await known(db, { digest })).rows.length > 0;

/** Few sessions differ in their catalogs, and only administrators ask: all are read. */
export async function pinnedCatalogs(db: Db, entryId: string): Promise<readonly PinnedCatalog[]> {
  const rows = await db.selectFrom("catalogs").select("body").orderBy("digest").execute();
  return rows
    .map(({ body }) => JSON.parse(body) as PinnedCatalog)
    .filter((one) => one.entryId === entryId);
}

export async function withdrawCatalog(db: Db, digest: string): Promise<boolean> {
  const gone = await db.deleteFrom("catalogs").where("digest", "=", digest).executeTakeFirst();
  return gone.numDeletedRows > 0n;
}

async function logLength(db: Db, sessionId: string): Promise<number> {
  const row = await db
    .selectFrom("waves")
    .select((e) => e.fn.countAll<number>().as("count"))
    .where("session_id", "=", sessionId)
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

/**
 * Appends waves at the expected length. The primary key (session, n) decides between two
 * appends that both saw that length: the second inserts nothing.
 */
export async function appendWaves(
  db: Db,
  key: SessionKey,
  expectedLength: number,
  waves: readonly WaveRecord[],
): Promise<"ok" | "conflict"> {
  if ((await logLength(db, key.sessionId)) !== expectedLength) return "conflict";
  if (waves.length === 0) return "ok";
  const rows = waves.map((wave) => ({
    session_id: key.sessionId,
    n: wave.n,
    body: JSON.stringify(wave),
    digest: wave.entry.digest,
  }));
  const result = await db
    .insertInto("waves")
    .values(rows)
    .onConflict((c) => c.columns(["session_id", "n"]).doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === BigInt(rows.length) ? "ok" : "conflict";
}

const wavesAfter = fixed((db, { sessionId, after }: { sessionId: string; after: number }) =>
  db
    .selectFrom("waves")
    .select("body")
    .where("session_id", "=", sessionId)
    .where("n", ">", after)
    .orderBy("n"),
);

export async function readWaves(
  db: Db,
  { sessionId }: SessionKey,
  after = 0,
): Promise<readonly WaveRecord[]> {
  const { rows } = await wavesAfter(db, { sessionId, after });
  return rows.map((row) => JSON.parse(row.body) as WaveRecord);
}
