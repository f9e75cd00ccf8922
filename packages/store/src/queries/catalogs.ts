import type { PinnedCatalog } from "@plasm/agent-core";
import type { Kysely } from "kysely";
import type { Tables } from "../schema/tables.ts";
import { fixed } from "./fixed.ts";

type Db = Kysely<Tables>;

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
