import type { Stored, StoreOps } from "../store-port.ts";
import type { ConnectionRecord, SentWaves, SessionKey } from "../records/sessions.ts";

/** Connections belong to no tenant of their own; their ids are secret random texts. */
const SCOPE = "connections";

/** How often it is noted that a connection is in use. */
const NOTED_EVERY_MS = 86_400_000;

/** Notes that a connection is in use, so that it is not swept (SESS-37). */
export async function noteConnectionUsed(
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
  /** it was sent waves of this earlier execute session and none of the given one */
  readonly stale: Earlier | null;
  /** the session was opened on it, or restored; so it is for a caller without one (SESS-3) */
  readonly isKnown: boolean;
}

/** The logical sessions that a connection knows: opened on it, or restored (SESS-3); else execute sessions. */
const knownIn = ({ sent, opened = [], restored = [] }: ConnectionRecord): ReadonlySet<string> =>
  new Set([...Object.keys(sent), ...opened, ...restored]);

/** An execute session as a connection remembers it. */
export type Earlier = Pick<SentWaves, "sessionId" | "promptHash">;

export async function connectionState(
  store: StoreOps,
  connection: string | null,
  logicalId: string,
  sessionId: string,
  waves: number,
): Promise<ConnectionState> {
  if (connection === null) return { seen: "none", stale: null, isKnown: true };
  const record = await store.get("connection", SCOPE, connection);
  if (record !== null) await noteConnectionUsed(store, SCOPE, record);
  const isKnown = record !== null && knownIn(record.value).has(logicalId);
  const sent = record?.value.sent[logicalId];
  if (sent === undefined) return { seen: "unseen", stale: null, isKnown };
  if (sent.sessionId !== sessionId) return { seen: "unseen", stale: sent, isKnown };
  return { seen: sent.waves >= waves ? "seen" : "unseen", stale: null, isKnown };
}

/** Changes what is kept of a connection, by compare-and-set. */
async function changeConnection(
  store: StoreOps,
  connection: string,
  next: (record: ConnectionRecord) => ConnectionRecord,
): Promise<void> {
  for (;;) {
    const found = await store.get("connection", SCOPE, connection);
    const before = found?.value ?? { id: connection, sent: {}, lastUsedAt: 0 };
    const value = { ...next(before), lastUsedAt: store.now() };
    const written =
      found === null
        ? await store.insert("connection", SCOPE, connection, value)
        : await store.cas("connection", SCOPE, connection, found.version, value);
    if (written) return;
  }
}

/** The sessions that a connection knows, by logical session, else execute session (SESS-3). */
export async function sessionsOf(
  store: StoreOps,
  connection: string,
): Promise<ReadonlySet<string>> {
  const record = await store.get("connection", SCOPE, connection);
  return record === null ? new Set() : knownIn(record.value);
}

/** Whether a session was opened on a connection, with tables sent or without (OPS-23). */
export async function isOpenedOn(
  store: StoreOps,
  connection: string,
  logicalId: string,
): Promise<boolean> {
  const record = await store.get("connection", SCOPE, connection);
  const { sent = {}, opened = [] } = record?.value ?? {};
  return sent[logicalId] !== undefined || opened.includes(logicalId);
}

/** Notes that a session was opened on a connection, which was sent nothing of it. */
async function noteOpened(store: StoreOps, connection: string, logicalId: string): Promise<void> {
  if (await isOpenedOn(store, connection, logicalId)) return;
  await changeConnection(store, connection, (record) => ({
    ...record,
    opened: [...(record.opened ?? []), logicalId],
  }));
}

/** Notes that a connection goes on with a session that was opened elsewhere (SESS-4). */
export async function noteRestored(
  store: StoreOps,
  connection: string | null,
  logicalId: string,
): Promise<void> {
  if (connection === null || (await sessionsOf(store, connection)).has(logicalId)) return;
  await changeConnection(store, connection, (record) => ({
    ...record,
    restored: [...new Set([...(record.restored ?? []), logicalId])],
  }));
}

/**
 * Notes that a connection was sent waves up to `waves`. A gap (it missed earlier ones) is kept as
 * a gap: only a contiguous or complete answer counts.
 */
export async function noteSent(
  store: StoreOps,
  connection: string | null,
  logicalId: string,
  { sessionId, promptHash }: SessionKey,
  sent: { readonly from: number; readonly to: number },
): Promise<void> {
  if (connection === null) return;
  if (sent.to < sent.from) return noteOpened(store, connection, logicalId);
  await changeConnection(store, connection, (record) => {
    const before = record.sent[logicalId];
    const known = before?.sessionId === sessionId ? before.waves : 0;
    const waves = sent.from <= known + 1 ? Math.max(known, sent.to) : known;
    return { ...record, sent: { ...record.sent, [logicalId]: { sessionId, promptHash, waves } } };
  });
}

/** Cancelled calls that a connection remembers, the last. */
const REMEMBERED = 32;

/** Notes that a call of a connection was cancelled, for whichever process serves it (OPS-11). */
export async function noteCancelled(
  store: StoreOps,
  connection: string,
  call: string,
): Promise<void> {
  await changeConnection(store, connection, (record) => {
    const { cancelled = [] } = record;
    const all = [...cancelled, { call, at: store.now() }];
    return { ...record, cancelled: all.slice(-REMEMBERED) };
  });
}

/** Whether a call was cancelled at this time or later. */
export async function wasCancelled(
  store: StoreOps,
  connection: string,
  call: string,
  since: number,
): Promise<boolean> {
  const record = await store.get("connection", SCOPE, connection);
  const { cancelled = [] } = record?.value ?? {};
  return cancelled.some((one) => one.call === call && one.at >= since);
}
