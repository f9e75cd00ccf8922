import type { CounterKind, RecordKind, RecordTypes, StoreOps, Stored } from "../ports.ts";
import type { ExecuteSession, SessionKey } from "../records/execute-session.ts";
import type { PinnedCatalog } from "../records/pinned-catalog.ts";
import type { WaveRecord } from "../records/wave-record.ts";

/** Everything a store holds, as plain data that can be copied whole. */
export interface MemoryTables {
  readonly records: Map<string, Stored<unknown>>;
  readonly counters: Map<string, number>;
  readonly slots: Map<string, string[]>;
  readonly sessions: Map<string, ExecuteSession>;
  readonly waves: Map<string, WaveRecord[]>;
  readonly catalogs: Map<string, PinnedCatalog>;
}

export const emptyTables = (): MemoryTables => ({
  records: new Map(),
  counters: new Map(),
  slots: new Map(),
  sessions: new Map(),
  waves: new Map(),
  catalogs: new Map(),
});

const keyOf = (kind: RecordKind, scope: string, id: string): string =>
  JSON.stringify([kind, scope, id]);

const copy = <T>(value: T): T => structuredClone(value);

function recordOps({
  records,
}: MemoryTables): Pick<StoreOps, "get" | "insert" | "cas" | "list" | "delete"> {
  return {
    get: async <K extends RecordKind>(kind: K, scope: string, id: string) =>
      copy((records.get(keyOf(kind, scope, id)) ?? null) as Stored<RecordTypes[K]> | null),
    insert: async (kind, scope, id, value) => {
      const key = keyOf(kind, scope, id);
      if (records.has(key)) return false;
      records.set(key, copy({ id, version: 1, value }));
      return true;
    },
    cas: async (kind, scope, id, version, next) => {
      const key = keyOf(kind, scope, id);
      if (records.get(key)?.version !== version) return false;
      records.set(key, copy({ id, version: version + 1, value: next }));
      return true;
    },
    list: async <K extends RecordKind>(kind: K, scope: string, prefix: string) => {
      const start = keyOf(kind, scope, prefix).slice(0, -2);
      const found = [...records].filter(([key]) => key.startsWith(start));
      return copy(found.map(([, record]) => record as Stored<RecordTypes[K]>));
    },
    delete: async (kind, scope, id) => void records.delete(keyOf(kind, scope, id)),
  };
}

function numberOps({ counters, slots }: MemoryTables) {
  return {
    nextNumber: async (owner: string, kind: CounterKind) => {
      const key = `${owner} ${kind}`;
      const next = counters.get(key) ?? (kind === "pc" ? 0 : 1);
      counters.set(key, next + 1);
      return next;
    },
    slotOf: async (principal: string, logicalId: string) => {
      const held = slots.get(principal) ?? [];
      if (!held.includes(logicalId)) held.push(logicalId);
      slots.set(principal, held);
      return held.indexOf(logicalId);
    },
    logicalAtSlot: async (principal: string, slot: number) => slots.get(principal)?.[slot] ?? null,
  };
}

type SessionOps = Pick<
  StoreOps,
  "findOrCreateSession" | "liveSession" | "session" | "renewSession" | "appendWaves" | "waves"
>;

function sessionOps({ sessions, waves }: MemoryTables, now: () => number): SessionOps {
  const live = (reuseKey: string): ExecuteSession | null =>
    [...sessions.values()].find((one) => one.reuseKey === reuseKey && one.expiresAt > now()) ??
    null;
  const named = (scope: string, { sessionId, promptHash }: SessionKey): ExecuteSession | null => {
    const found = sessions.get(sessionId);
    return found?.scope === scope && found.promptHash === promptHash ? found : null;
  };
  return {
    findOrCreateSession: async (reuseKey, make) => {
      const found = live(reuseKey);
      if (found !== null) return { row: found, created: false };
      const row = make();
      sessions.set(row.sessionId, row);
      return { row, created: true };
    },
    liveSession: async (reuseKey) => live(reuseKey),
    session: async (scope, key) => named(scope, key),
    renewSession: async (scope, key, lifetimeMs) => {
      const found = named(scope, key);
      if (found === null || found.expiresAt <= now()) return null;
      const renewed = { ...found, expiresAt: Math.max(found.expiresAt, now() + lifetimeMs) };
      sessions.set(key.sessionId, renewed);
      return renewed;
    },
    appendWaves: async ({ sessionId }, expectedLength, added) => {
      const log = waves.get(sessionId) ?? [];
      if (log.length !== expectedLength) return "conflict";
      waves.set(sessionId, [...log, ...added]);
      return "ok";
    },
    waves: async ({ sessionId }) => waves.get(sessionId) ?? [],
  };
}

/** What can be done with tables that are this caller's alone. */
export const opsOn = (tables: MemoryTables, now: () => number): StoreOps => ({
  now,
  ...recordOps(tables),
  ...numberOps(tables),
  ...sessionOps(tables, now),
  pinCatalog: async (catalog) => void tables.catalogs.set(catalog.digest, catalog),
  pinnedCatalog: async (digest) => tables.catalogs.get(digest) ?? null,
});
