import type { ExecuteSession, SessionKey } from "@plasm/agent-core";
import { sql, type Kysely } from "kysely";
import type { Tables } from "../schema/tables.ts";
import { decodeSession } from "./sessions.ts";

type Db = Kysely<Tables>;

/** Sessions whose lifetime is over, except for those of these ids. */
export async function expiredSessions(
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
export async function endSession(db: Db, now: number, key: SessionKey): Promise<boolean> {
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

export async function endedSessions(
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

export async function removeSession(db: Db, key: SessionKey): Promise<void> {
  await db
    .deleteFrom("execute_sessions")
    .where("session_id", "=", key.sessionId)
    .where("prompt_hash", "=", key.promptHash)
    .where(sql.ref("ended_at"), "is not", null)
    .execute();
}
