import type {
  Aged,
  CounterKind,
  IdRange,
  ListedTypes,
  RecordKind,
  RecordTypes,
  Stored,
  StoreOps,
  StoreUpkeep,
  TextField,
} from "../store-port.ts";
import type { ExecuteSession, PinnedCatalog, SessionKey, WaveRecord } from "../records/sessions.ts";

/** Everything a store holds, as plain data that can be copied whole. */
export interface MemoryTables {
  readonly records: Map<string, Aged<unknown>>;
  readonly counters: Map<string, number>;
  /** by principal; null where a slot is free again */
  readonly slots: Map<string, (string | null)[]>;
  readonly sessions: Map<string, ExecuteSession>;
  readonly waves: Map<string, WaveRecord[]>;
  readonly catalogs: Map<string, { readonly content: PinnedCatalog; readonly pinnedAt: number }>;
}

export const emptyTables = (): MemoryTables => ({
  records: new Map(),
  counters: new Map(),
  slots: new Map(),
  sessions: new Map(),
  waves: new Map(),
  catalogs: new Map(),
});

export const recordKey = (kind: RecordKind, scope: string, id: string): string =>
  JSON.stringify([kind, scope, id]);

const copy = <T>(value: T): T => structuredClone(value);

function plain<K extends RecordKind>(record: Aged<unknown>): Stored<RecordTypes[K]> {
  const { id, version, value } = record as Aged<RecordTypes[K]>;
  return copy({ id, version, value });
}

/** A value as lists give it. */
export function withoutTexts<K extends RecordKind>(value: RecordTypes[K]): ListedTypes[K] {
  const {
    program: _program,
    plan: _plan,
    ...rest
  } = value as { readonly [F in TextField]?: string };
  return rest as ListedTypes[K];
}

function listed<K extends RecordKind>(record: Aged<unknown>): Stored<ListedTypes[K]> {
  const { value, ...rest } = plain<K>(record);
  return { ...rest, value: withoutTexts<K>(value) };
}

function recordOps(
  { records }: MemoryTables,
  now: () => number,
): Pick<StoreOps, "get" | "peek" | "getAll" | "insert" | "cas" | "list" | "range" | "delete"> {
  return {
    get: async <K extends RecordKind>(kind: K, scope: string, id: string) => {
      const found = records.get(recordKey(kind, scope, id));
      return found === undefined ? null : plain<K>(found);
    },
    peek: async <K extends RecordKind>(kind: K, scope: string, id: string) => {
      const found = records.get(recordKey(kind, scope, id));
      return found === undefined ? null : listed<K>(found);
    },
    getAll: async <K extends RecordKind>(kind: K, scope: string, ids: readonly string[]) =>
      ids.flatMap((id) => {
        const found = records.get(recordKey(kind, scope, id));
        return found === undefined ? [] : [plain<K>(found)];
      }),
    insert: async (kind, scope, id, value) => {
      const key = recordKey(kind, scope, id);
      if (records.has(key)) return false;
      records.set(key, copy({ id, scope, version: 1, value, agedFrom: now(), textBytes: 0 }));
      return true;
    },
    cas: async (kind, scope, id, version, next) => {
      const key = recordKey(kind, scope, id);
      if (records.get(key)?.version !== version) return false;
      const record = {
        id,
        scope,
        version: version + 1,
        value: next,
        agedFrom: now(),
        textBytes: 0,
      };
      records.set(key, copy(record));
      return true;
    },
    list: async <K extends RecordKind>(kind: K, scope: string, prefix: string) => {
      const start = recordKey(kind, scope, prefix).slice(0, -2);
      const found = [...records].filter(([key]) => key.startsWith(start));
      return found.map(([, record]) => listed<K>(record));
    },
    range: async <K extends RecordKind>(
      kind: K,
      scope: string,
      { from = "", to, limit, newestFirst = false }: IdRange,
    ) => {
      const start = recordKey(kind, scope, "").slice(0, -2);
      const isWithin = ({ id }: Aged<unknown>): boolean =>
        id >= from && (to === undefined || id <= to);
      const found = [...records]
        .flatMap(([key, record]) => (key.startsWith(start) && isWithin(record) ? [record] : []))
        .toSorted((a, b) => (a.id < b.id === newestFirst ? 1 : -1));
      return found.slice(0, limit).map((record) => listed<K>(record));
    },
    delete: async (kind, scope, id) => void records.delete(recordKey(kind, scope, id)),
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
      slots.set(principal, held);
      const own = held.indexOf(logicalId);
      if (own !== -1) return own;
      const free = held.indexOf(null);
      const slot = free === -1 ? held.length : free;
      held[slot] = logicalId;
      return slot;
    },
    heldSlot: async (principal: string, logicalId: string) => {
      const own = slots.get(principal)?.indexOf(logicalId) ?? -1;
      return own === -1 ? null : own;
    },
    logicalAtSlot: async (principal: string, slot: number) => slots.get(principal)?.[slot] ?? null,
    slots: async (principal: string) =>
      (slots.get(principal) ?? []).flatMap((logicalId, slot) =>
        logicalId === null ? [] : [{ slot, logicalId }],
      ),
  };
}

type SessionOps = Pick<
  StoreOps,
  | "findOrCreateSession"
  | "liveSession"
  | "giveUpReuseKey"
  | "session"
  | "renewSession"
  | "appendWaves"
  | "waves"
>;

function sessionOps({ sessions, waves }: MemoryTables, now: () => number): SessionOps {
  const given = new Set<string>();
  const live = (reuseKey: string): ExecuteSession | null =>
    [...sessions.values()].find(
      (one) => one.reuseKey === reuseKey && one.expiresAt > now() && !given.has(one.sessionId),
    ) ?? null;
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
    giveUpReuseKey: async ({ sessionId }) => void given.add(sessionId),
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
    waves: async ({ sessionId }, after = 0) => (waves.get(sessionId) ?? []).slice(after),
  };
}

function catalogOps({ catalogs }: MemoryTables, now: () => number) {
  return {
    pinCatalog: async (content: PinnedCatalog) =>
      void catalogs.set(content.digest, { content, pinnedAt: now() }),
    pinnedCatalog: async (digest: string) => catalogs.get(digest)?.content ?? null,
    isPinned: async (digest: string) => catalogs.has(digest),
    pinnedCatalogs: async (entryId: string) =>
      [...catalogs.values()].map(({ content }) => content).filter((one) => one.entryId === entryId),
    withdrawCatalog: async (digest: string) => catalogs.delete(digest),
  };
}

/** What can be done with tables that are this caller's alone. */
export const memoryOps = (
  tables: MemoryTables,
  now: () => number,
): Omit<StoreOps, keyof StoreUpkeep | "putBlob"> => ({
  now,
  ...recordOps(tables, now),
  ...numberOps(tables),
  ...sessionOps(tables, now),
  ...catalogOps(tables, now),
});
