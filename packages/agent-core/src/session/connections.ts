import type { StoreOps, Stored } from "../ports.ts";
import type { ConnectionRecord } from "../records/connection-record.ts";

/** Connections belong to no tenant of their own; their ids are secret random texts. */
const SCOPE = "connections";

/** How often it is noted that a connection is in use. */
const NOTED_EVERY_MS = 86_400_000;

/** Notes that a connection is in use, so that it is not swept (SESS-37). */
export async function noteUsed(
  store: StoreOps,
  scope: string,
  { id, version, value }: Stored<ConnectionRecord>,
): Promise<void> {
  const now = store.now();
  if (Math.abs(now - value.lastUsedAt) < NOTED_EVERY_MS) return;
  await store.cas("connection", scope, id, version, { ...value, lastUsedAt: now });
}

export type Seen = "seen" | "unseen" | "none";

/** What the server knows a connection was sent of a logical session (SESS-19, SESS-40). */
export interface ConnectionState {
  /** whether it holds every wave of the given session */
  readonly seen: Seen;
  /** it was sent waves of an earlier execute session and none of this one */
  readonly stale: boolean;
}

export async function connectionState(
  store: StoreOps,
  connection: string | null,
  logicalId: string,
  sessionId: string,
  waves: number,
): Promise<ConnectionState> {
  if (connection === null) return { seen: "none", stale: false };
  const record = await store.get("connection", SCOPE, connection);
  if (record !== null) await noteUsed(store, SCOPE, record);
  const sent = record?.value.sent[logicalId];
  if (sent === undefined) return { seen: "unseen", stale: false };
  if (sent.sessionId !== sessionId) return { seen: "unseen", stale: true };
  return { seen: sent.waves >= waves ? "seen" : "unseen", stale: false };
}

/**
 * Notes that a connection was sent waves up to `waves`. A gap (it missed earlier ones) is kept as
 * a gap: only a contiguous or complete answer counts.
 */
export async function noteSent(
  store: StoreOps,
  connection: string | null,
  logicalId: string,
  sessionId: string,
  sent: { readonly from: number; readonly to: number },
): Promise<void> {
  if (connection === null || sent.to < sent.from) return;
  for (;;) {
    const record = await store.get("connection", SCOPE, connection);
    const before = record?.value.sent[logicalId];
    const known = before?.sessionId === sessionId ? before.waves : 0;
    const waves = sent.from <= known + 1 ? Math.max(known, sent.to) : known;
    const next: ConnectionRecord = {
      id: connection,
      sent: { ...record?.value.sent, [logicalId]: { sessionId, waves } },
      lastUsedAt: store.now(),
    };
    const written =
      record === null
        ? await store.insert("connection", SCOPE, connection, next)
        : await store.cas("connection", SCOPE, connection, record.version, next);
    if (written) return;
  }
}
