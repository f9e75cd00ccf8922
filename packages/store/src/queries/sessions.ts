import type { ExecuteSession, SessionKey } from "@plasm/agent-core";
import type { Db } from "../schema/tables.ts";
import { fixed } from "./fixed.ts";

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

/** What names a session within its scope. */
interface Id extends SessionKey {
  readonly scope: string;
}

const byKey = fixed((db, { sessionId, promptHash, scope }: Id) =>
  db
    .selectFrom("execute_sessions")
    .select(["body", "expires_at", "ended_at"])
    .where("session_id", "=", sessionId)
    .where("prompt_hash", "=", promptHash)
    .where("scope", "=", scope),
);

export async function readSession(
  db: Db,
  scope: string,
  { sessionId, promptHash }: SessionKey,
): Promise<ExecuteSession | null> {
  const [row] = (await byKey(db, { sessionId, promptHash, scope })).rows;
  return row === undefined ? null : decodeSession(row);
}

const renewing = fixed((db, of: Id & { readonly now: number; readonly until: number }) =>
  db
    .updateTable("execute_sessions")
    .set((e) => ({
      expires_at: e
        .case()
        .when("expires_at", "<", of.until)
        .then(e.val(of.until))
        .else(e.ref("expires_at"))
        .end(),
    }))
    .where("session_id", "=", of.sessionId)
    .where("prompt_hash", "=", of.promptHash)
    .where("scope", "=", of.scope)
    .where("expires_at", ">", of.now)
    .returning(["body", "expires_at", "ended_at"]),
);

/** By this part of its lifetime more a session is renewed, so that most of its calls need not write that down (SESS-11). */
const MORE = 60;

/** How long a session lives that is renewed before it must be, in ms. */
export const ampleLifetime = (lifetimeMs: number): number =>
  lifetimeMs + Math.ceil(lifetimeMs / MORE);

/**
 * Renews in the same statement that judges expiry, so a look-up renews or reports the loss (SESS-11). What
 * lives longer stays so.
 */
export async function renewSession(
  db: Db,
  now: number,
  scope: string,
  { sessionId, promptHash }: SessionKey,
  lifetimeMs: number,
): Promise<ExecuteSession | null> {
  const until = now + lifetimeMs;
  const [row] = (await renewing(db, { sessionId, promptHash, scope, now, until })).rows;
  return row === undefined ? null : decodeSession(row);
}
