import type { WaveRecord } from "@plasm/agent-core";
import type { Kysely } from "kysely";
import type { Tables } from "../schema/tables.ts";
import { unsettledRecords } from "./aged-records.ts";
import { isText } from "./texts.ts";

type Db = Kysely<Tables>;

/**
 * Removes blobs that no record names (SESS-30). Those that one names are not looked at again until they
 * lose one. None is removed while it is not known of every record what it names.
 */
export async function removeBlobs(db: Db, until: number, limit: number): Promise<number> {
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
export async function settleBlobs(db: Db, now: number, limit: number): Promise<number> {
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
export async function removeCatalogs(db: Db, until: number, limit: number): Promise<number> {
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
export async function settleWaves(db: Db, limit: number): Promise<number> {
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
