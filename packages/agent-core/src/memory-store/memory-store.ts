import { createHash } from "node:crypto";
import { AUDIT_RECORDS } from "../records/audit.ts";
import type { ExecuteSession } from "../records/sessions.ts";
import type {
  Aged,
  RecordKind,
  RecordTypes,
  Store,
  StoreOps,
  StoreUpkeep,
  TextField,
} from "../store-port.ts";
import {
  type MemoryTables,
  emptyTables,
  memoryOps,
  recordKey,
  withoutTexts,
} from "./memory-tables.ts";

/** Bytes by their hash, with the time they were last written at. */
type MemoryBlobs = Map<string, { readonly bytes: Uint8Array; readonly writtenAt: number }>;

/** The scope of a record, and the bytes of it and of what it names. */
const bytesIn = (key: string, value: unknown): readonly [string, number] => {
  const [, scope = ""] = JSON.parse(key) as readonly string[];
  return [scope, JSON.stringify(value).length];
};

const AUDIT_STARTS = AUDIT_RECORDS.map((kind) => `${JSON.stringify([kind]).slice(0, -1)},`);

/** What each scope has, in bytes; a text that several of its records have counts once. */
function bytesByScope(
  records: MemoryTables["records"],
  counts: (key: string) => boolean,
): ReadonlyMap<string, number> {
  const bytes = new Map<string, number>();
  const counted = new Set<string>();
  for (const [key, { value }] of records) {
    if (!counts(key)) continue;
    const [scope, size] = bytesIn(key, value);
    bytes.set(scope, (bytes.get(scope) ?? 0) + size);
    const { program, plan } = value as { readonly [F in TextField]?: string };
    for (const text of [program, plan]) {
      const name = JSON.stringify([scope, text]);
      if (text === undefined || !counted.has(name)) counted.add(name);
      else bytes.set(scope, (bytes.get(scope) ?? 0) - JSON.stringify(text).length);
    }
  }
  return bytes;
}

/** What all records take, audit logs included, in bytes. */
const recordBytes = ({ records }: Pick<MemoryTables, "records">): number =>
  [...bytesByScope(records, () => true).values()].reduce((sum, one) => sum + one, 0);

type Upkeep<K extends keyof StoreUpkeep> = Pick<StoreUpkeep, K>;

function agedOps({
  records,
}: MemoryTables): Upkeep<"aged" | "ageFrom" | "remove" | "removeAll" | "settle" | "usage"> {
  return {
    aged: async <K extends RecordKind>(kind: K, until: number, limit: number) => {
      const start = JSON.stringify([kind]).slice(0, -1);
      const found = [...records]
        .filter(([key, { agedFrom }]) => key.startsWith(`${start},`) && agedFrom <= until)
        .map(([, record]) => record as Aged<RecordTypes[K]>)
        .toSorted((a, b) => a.agedFrom - b.agedFrom)
        .slice(0, limit);
      return structuredClone(found).map((one) => ({ ...one, value: withoutTexts<K>(one.value) }));
    },
    ageFrom: async (kind, scope, id, agedFrom) => {
      const key = recordKey(kind, scope, id);
      const record = records.get(key);
      if (record !== undefined) records.set(key, { ...record, agedFrom });
    },
    remove: async (kind, scope, id, version) => {
      const key = recordKey(kind, scope, id);
      return records.get(key)?.version === version && records.delete(key);
    },
    removeAll: async (kind, scope, prefix) => {
      const start = recordKey(kind, scope, prefix).slice(0, -2);
      for (const key of records.keys()) if (key.startsWith(start)) records.delete(key);
    },
    settle: async () => 0,
    usage: async () => {
      const bytes = bytesByScope(
        records,
        (key) => !AUDIT_STARTS.some((start) => key.startsWith(start)),
      );
      return { bytes, next: null };
    },
  };
}

function endedOps(
  { sessions, waves, counters, slots }: MemoryTables,
  now: () => number,
): Upkeep<
  | "removeCounters"
  | "freeSlots"
  | "expiredSessions"
  | "endSession"
  | "endedSessions"
  | "removeSession"
> {
  const all = (chosen: (one: ExecuteSession) => boolean, limit: number) =>
    [...sessions.values()].filter(chosen).slice(0, limit);
  const over = ({ endedAt, expiresAt }: ExecuteSession): boolean =>
    endedAt === undefined && expiresAt <= now();
  return {
    removeCounters: async (owner) => {
      for (const key of counters.keys()) {
        if (key.startsWith(`${owner} `)) counters.delete(key);
      }
    },
    freeSlots: async (logicalId) => {
      for (const [principal, held] of slots) {
        const left = held.map((one) => (one === logicalId ? null : one));
        if (left.every((one) => one === null)) slots.delete(principal);
        else slots.set(principal, left);
      }
    },
    expiredSessions: async (but, limit) =>
      all((one) => over(one) && !but.has(one.sessionId), limit),
    endSession: async ({ sessionId }) => {
      const found = sessions.get(sessionId);
      if (found === undefined || !over(found)) return false;
      sessions.set(sessionId, { ...found, expiresAt: 0, endedAt: found.expiresAt });
      waves.delete(sessionId);
      return true;
    },
    endedSessions: async (until, limit) =>
      all(({ endedAt }) => endedAt !== undefined && endedAt <= until, limit),
    removeSession: async ({ sessionId }) => {
      if (sessions.get(sessionId)?.endedAt !== undefined) sessions.delete(sessionId);
    },
  };
}

function contentOps(
  { records, waves, catalogs }: MemoryTables,
  blobs: MemoryBlobs,
): Upkeep<"removeCatalogs" | "removeBlobs"> {
  const isTaught = (digest: string): boolean =>
    [...waves.values()].flat().some(({ entry }) => entry.digest === digest);
  const isNamed = (sha256: string): boolean =>
    [...records.values()].some(({ value }) => JSON.stringify(value).includes(sha256));
  return {
    removeCatalogs: async (until, limit) => {
      const unused = [...catalogs]
        .filter(([digest, { pinnedAt }]) => pinnedAt <= until && !isTaught(digest))
        .slice(0, limit);
      for (const [digest] of unused) catalogs.delete(digest);
      return unused.length;
    },
    removeBlobs: async (until, limit) => {
      const unused = [...blobs]
        .filter(([sha256, { writtenAt }]) => writtenAt <= until && !isNamed(sha256))
        .slice(0, limit);
      for (const [sha256] of unused) blobs.delete(sha256);
      return unused.length;
    },
  };
}

/** What a sweep needs of tables that are its alone. */
const memoryUpkeep = (
  tables: MemoryTables,
  blobs: MemoryBlobs,
  now: () => number,
): StoreUpkeep => ({
  ...agedOps(tables),
  ...endedOps(tables, now),
  ...contentOps(tables, blobs),
});

/** A store in memory: what it holds ends with its process, so that nothing of it is durable (SESS-33). */
export interface MemoryStore extends Store {
  /** Moves the store's clock on, in ms: tests let time pass with it. */
  advance(ms: number): void;
  /** How much of everything there is, by what it is; what there is none of is left out. */
  held(): Readonly<Record<string, number>>;
}

/** Runs one piece of work at a time. */
function turns() {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(work: () => Promise<T>): Promise<T> => {
    const mine = last.then(work, work);
    last = mine.catch(() => undefined);
    return mine;
  };
}

function restore(tables: MemoryTables, before: MemoryTables): void {
  for (const name of Object.keys(tables) as (keyof MemoryTables)[]) {
    const table = tables[name] as Map<string, unknown>;
    table.clear();
    for (const [key, value] of before[name]) table.set(key, value);
  }
}

/** The same calls, each waiting for its turn. */
function inTurns(ops: StoreOps, inTurn: <T>(work: () => Promise<T>) => Promise<T>): StoreOps {
  const waiting = Object.entries(ops).map(([name, call]: [string, unknown]) => [
    name,
    (...args: readonly unknown[]) =>
      inTurn(async () => (call as (...given: readonly unknown[]) => unknown)(...args)),
  ]);
  return { ...(Object.fromEntries(waiting) as StoreOps), now: ops.now };
}

function sizes(tables: MemoryTables, blobs: MemoryBlobs): Readonly<Record<string, number>> {
  const { records, ...others } = { ...tables, blobs };
  const counts = new Map<string, number>();
  for (const key of records.keys()) {
    const [kind = ""] = JSON.parse(key) as readonly string[];
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  for (const [name, { size }] of Object.entries(others)) if (size > 0) counts.set(name, size);
  return Object.fromEntries(counts);
}

/** How a store in memory tells the time. */
export interface MemoryStoreOptions {
  /** where its clock stands still until it is moved, in ms since the epoch; it follows the system's without it */
  readonly at?: number;
}

/** Opens an empty store. Calls take turns, so that a transaction is alone and rolls back whole. */
export function memoryStore({ at }: MemoryStoreOptions = {}): MemoryStore {
  const tables = emptyTables();
  const blobs: MemoryBlobs = new Map();
  let moved = 0;
  const now = (): number => (at ?? Date.now()) + moved;
  const inTurn = turns();
  const ops: StoreOps = {
    ...memoryOps(tables, now),
    ...memoryUpkeep(tables, blobs, now),
    putBlob: async (sha256, bytes) => {
      const name = createHash("sha256").update(bytes).digest("hex");
      if (name !== sha256) throw new Error("A blob's name is the SHA-256 of its bytes");
      blobs.set(sha256, { bytes, writtenAt: now() });
    },
  };
  return {
    ...inTurns(ops, inTurn),
    advance: (ms) => void (moved += ms),
    held: () => sizes(tables, blobs),
    transaction: (work) =>
      inTurn(async () => {
        const before = structuredClone(tables);
        const blobsBefore = [...blobs];
        try {
          return await work(ops);
        } catch (thrown) {
          restore(tables, before);
          blobs.clear();
          for (const [name, blob] of blobsBefore) blobs.set(name, blob);
          throw thrown;
        }
      }),
    size: async () => {
      const records = recordBytes(tables);
      const content = [...blobs.values()].reduce((sum, one) => sum + one.bytes.length, 0);
      return { used: records + content, onDisk: records + content };
    },
    getBlob: async (sha256) => blobs.get(sha256)?.bytes ?? null,
    ping: async () => undefined,
    close: async () => undefined,
  };
}
