import type { PinnedCatalog } from "@plasm/agent-core";
import type { Kysely } from "kysely";
import type { Tables } from "../schema/tables.ts";

export async function pinCatalog(db: Kysely<Tables>, catalog: PinnedCatalog): Promise<void> {
  await db
    .insertInto("catalogs")
    .values({ digest: catalog.digest, body: JSON.stringify(catalog) })
    .onConflict((c) => c.column("digest").doNothing())
    .execute();
}

export async function pinnedCatalog(
  db: Kysely<Tables>,
  digest: string,
): Promise<PinnedCatalog | null> {
  const row = await db
    .selectFrom("catalogs")
    .select("body")
    .where("digest", "=", digest)
    .executeTakeFirst();
  return row === undefined ? null : (JSON.parse(row.body) as PinnedCatalog);
}
