import type { SessionKey, WaveRecord } from "@plasm/agent-core";
import type { Kysely } from "kysely";
import type { Tables } from "../schema/tables.ts";
import { fixed } from "./fixed.ts";

type Db = Kysely<Tables>;

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
