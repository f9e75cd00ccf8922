import type { AskedSlot, Stored, StoreOps } from "../store-port.ts";
import type {
  ConnectionRecord,
  ConnectionSession,
  SentWaves,
  SessionKey,
} from "../records/sessions.ts";

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

/** An execute session as a connection remembers it. */
export type Earlier = Pick<SentWaves, "sessionId" | "promptHash">;

const sessionIdOn = (connection: string, logicalId: string): string => `${connection}/${logicalId}`;

/** What an earlier program kept of a session in the record of the connection itself. */
function earlierOf(record: ConnectionRecord | null, logicalId: string): ConnectionSession | null {
  if (record === null) return null;
  const { sent = {}, opened = [], restored = [], lastUsedAt } = record;
  const waves = sent[logicalId];
  if (waves !== undefined) return { sent: waves, opened: true, lastUsedAt };
  if (opened.includes(logicalId)) return { opened: true, lastUsedAt };
  return restored.includes(logicalId) ? { lastUsedAt } : null;
}

/** What a connection has of one session; its other sessions are not read. */
interface OnConnection {
  /** null where it stands in no record of its own */
  readonly own: Stored<ConnectionSession> | null;
  readonly value: ConnectionSession | null;
}

/** Where a connection keeps the sessions it knows; null for a caller without one. */
export const keptAt = (connection: string | null): AskedSlot["connection"] =>
  connection === null ? null : { scope: SCOPE, prefix: sessionIdOn(connection, "") };

async function readSessionOn(
  store: StoreOps,
  connection: string,
  logicalId: string,
): Promise<OnConnection> {
  // Asked for together: stores that wait for a server wait once.
  const [own, record] = await Promise.all([
    store.get("connectionSession", SCOPE, sessionIdOn(connection, logicalId)),
    store.get("connection", SCOPE, connection),
  ]);
  if (own !== null) return { own, value: own.value };
  return { own, value: earlierOf(record?.value ?? null, logicalId) };
}

/** How a session stands on a connection; `found` is what it keeps of it where that was read already. */
export async function connectionState(
  store: StoreOps,
  connection: string | null,
  logicalId: string,
  sessionId: string,
  waves: number,
  found: Stored<ConnectionSession> | null = null,
): Promise<ConnectionState> {
  if (connection === null) return { seen: "none", stale: null, isKnown: true };
  const { own, value } =
    found === null
      ? await readSessionOn(store, connection, logicalId)
      : { own: found, value: found.value };
  if (own !== null) await noteSessionUsed(store, own);
  // It has a record of its own from now on, and that of the connection is read no more for it.
  else if (value !== null) await changeSession(store, connection, logicalId, (before) => before);
  const isKnown = value !== null;
  const sent = value?.sent;
  if (sent === undefined) return { seen: "unseen", stale: null, isKnown };
  if (sent.sessionId !== sessionId) return { seen: "unseen", stale: sent, isKnown };
  return { seen: sent.waves >= waves ? "seen" : "unseen", stale: null, isKnown };
}

/** Notes that a session is in use on a connection, so that it is not swept (SESS-37). */
async function noteSessionUsed(
  store: StoreOps,
  { id, version, value }: Stored<ConnectionSession>,
): Promise<void> {
  const now = store.now();
  if (Math.abs(now - value.lastUsedAt) < NOTED_EVERY_MS) return;
  await store.cas("connectionSession", SCOPE, id, version, { ...value, lastUsedAt: now });
}

/** Changes what is kept of a session on a connection, by compare-and-set; null leaves it. */
async function changeSession(
  store: StoreOps,
  connection: string,
  logicalId: string,
  next: (before: ConnectionSession | null) => Omit<ConnectionSession, "lastUsedAt"> | null,
): Promise<void> {
  const id = sessionIdOn(connection, logicalId);
  for (;;) {
    const { own, value: before } = await readSessionOn(store, connection, logicalId);
    const changed = next(before);
    if (changed === null) return;
    const value = { ...changed, lastUsedAt: store.now() };
    const written =
      own === null
        ? await store.insert("connectionSession", SCOPE, id, value)
        : await store.cas("connectionSession", SCOPE, id, own.version, value);
    if (written) return;
  }
}

/** The sessions that a connection knows, by logical session, else execute session (SESS-3). */
export async function sessionsOf(
  store: StoreOps,
  connection: string,
): Promise<ReadonlySet<string>> {
  const prefix = sessionIdOn(connection, "");
  const own = await store.list("connectionSession", SCOPE, prefix);
  const {
    sent = {},
    opened = [],
    restored = [],
  } = (await store.get("connection", SCOPE, connection))?.value ?? {};
  const ids = own.map(({ id }) => id.slice(prefix.length));
  return new Set([...ids, ...Object.keys(sent), ...opened, ...restored]);
}

/** Whether a session was opened on a connection, with tables sent or without (OPS-23). */
export async function isOpenedOn(
  store: StoreOps,
  connection: string,
  logicalId: string,
): Promise<boolean> {
  const { value } = await readSessionOn(store, connection, logicalId);
  return value?.opened === true;
}

/** Notes that a connection goes on with a session that was opened elsewhere (SESS-4). */
export async function noteRestored(
  store: StoreOps,
  connection: string | null,
  logicalId: string,
): Promise<void> {
  if (connection === null) return;
  await changeSession(store, connection, logicalId, (before) => (before === null ? {} : null));
}

/**
 * Notes that a session was opened on a connection, which was sent waves up to `waves`, or nothing. A gap (it missed
 * earlier ones) is kept as a gap: only a contiguous or complete answer counts.
 */
export async function noteSent(
  store: StoreOps,
  connection: string | null,
  logicalId: string,
  { sessionId, promptHash }: SessionKey,
  sent: { readonly from: number; readonly to: number },
): Promise<void> {
  if (connection === null) return;
  await changeSession(store, connection, logicalId, (before) => {
    if (sent.to < sent.from) return before?.opened === true ? null : { ...before, opened: true };
    const known = before?.sent?.sessionId === sessionId ? before.sent.waves : 0;
    const waves = sent.from <= known + 1 ? Math.max(known, sent.to) : known;
    return { opened: true, sent: { sessionId, promptHash, waves } };
  });
}

/** Changes what is kept of a connection itself, by compare-and-set. */
async function changeConnection(
  store: StoreOps,
  connection: string,
  next: (record: ConnectionRecord) => ConnectionRecord,
): Promise<void> {
  for (;;) {
    const found = await store.get("connection", SCOPE, connection);
    const before = found?.value ?? { id: connection, lastUsedAt: 0 };
    const value = { ...next(before), lastUsedAt: store.now() };
    const written =
      found === null
        ? await store.insert("connection", SCOPE, connection, value)
        : await store.cas("connection", SCOPE, connection, found.version, value);
    if (written) return;
  }
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
