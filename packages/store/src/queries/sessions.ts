import type { ExecuteSession, SessionKey } from "@plasm/agent-core";
import type { Kysely } from "kysely";
import type { Tables } from "../schema/tables.ts";

type Db = Kysely<Tables>;

/** A session's row, as queries read it. */
interface SessionRow {
  readonly body: string;
  readonly expires_at: number;
  readonly ended_at: number | null;
}

export function decodeSession({ body, expires_at, ended_at }: SessionRow): ExecuteSession {
  return {
    ...(JSON.parse(body) as ExecuteSession),
    expiresAt: Number(expires_at),
    ...(ended_at === null ? {} : { endedAt: Number(ended_at) }),
  };
}

/** The live session with a reuse key. */
export async function liveByReuseKey(
  db: Db,
  reuseKey: string,
  now: number,
): Promise<ExecuteSession | null> {
  const row = await db
    .selectFrom("execute_sessions")
    .select(["body", "expires_at", "ended_at"])
    .where("reuse_key", "=", reuseKey)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  return row === undefined ? null : decodeSession(row);
}

/** Finds the live session with a reuse key or stores a new one; of two racing callers one creates. */
export async function findOrCreateSession(
  db: Db,
  now: number,
  reuseKey: string,
  make: () => ExecuteSession,
): Promise<{ readonly row: ExecuteSession; readonly created: boolean }> {
  const found = await liveByReuseKey(db, reuseKey, now);
  if (found !== null) return { row: found, created: false };
  await db
    .updateTable("execute_sessions")
    .set({ reuse_key: null })
    .where("reuse_key", "=", reuseKey)
    .where("expires_at", "<=", now)
    .execute();
  const made = make();
  const inserted = await db
    .insertInto("execute_sessions")
    .values({
      session_id: made.sessionId,
      prompt_hash: made.promptHash,
      scope: made.scope,
      reuse_key: reuseKey,
      expires_at: made.expiresAt,
      body: JSON.stringify(made),
    })
    .onConflict((c) => c.column("reuse_key").doNothing())
    .executeTakeFirst();
  if ((inserted.numInsertedOrUpdatedRows ?? 0n) > 0n) return { row: made, created: true };
  const winner = await liveByReuseKey(db, reuseKey, now);
  if (winner === null) throw new Error("A session opened at the same time has already expired");
  return { row: winner, created: false };
}

/** Lets another session take the key of this one. */
export async function giveUpReuseKey(db: Db, { sessionId }: SessionKey): Promise<void> {
  await db
    .updateTable("execute_sessions")
    .set({ reuse_key: null })
    .where("session_id", "=", sessionId)
    .execute();
}

export async function readSession(
  db: Db,
  scope: string,
  key: SessionKey,
): Promise<ExecuteSession | null> {
  const row = await db
    .selectFrom("execute_sessions")
    .select(["body", "expires_at", "ended_at"])
    .where("session_id", "=", key.sessionId)
    .where("prompt_hash", "=", key.promptHash)
    .where("scope", "=", scope)
    .executeTakeFirst();
  return row === undefined ? null : decodeSession(row);
}

/**
 * Renews in the same statement that judges expiry, so a look-up renews or reports the loss (SESS-11). What
 * lives longer stays so.
 */
export async function renewSession(
  db: Db,
  now: number,
  scope: string,
  key: SessionKey,
  lifetimeMs: number,
): Promise<ExecuteSession | null> {
  const until = now + lifetimeMs;
  const row = await db
    .updateTable("execute_sessions")
    .set((e) => ({
      expires_at: e
        .case()
        .when("expires_at", "<", until)
        .then(until)
        .else(e.ref("expires_at"))
        .end(),
    }))
    .where("session_id", "=", key.sessionId)
    .where("prompt_hash", "=", key.promptHash)
    .where("scope", "=", scope)
    .where("expires_at", ">", now)
    .returning(["body", "expires_at", "ended_at"])
    .executeTakeFirst();
  return row === undefined ? null : decodeSession(row);
}
