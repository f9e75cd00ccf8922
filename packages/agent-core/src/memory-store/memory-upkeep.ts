import type { Aged, RecordKind, RecordTypes, StoreUpkeep, TextField } from "../store-port.ts";
import { AUDIT_RECORDS } from "../records/audit.ts";
import type { ExecuteSession } from "../records/sessions.ts";
import { recordKey, type MemoryTables, withoutTexts } from "./memory-tables.ts";

/** Bytes by their hash, with the time they were last written at. */
export type MemoryBlobs = Map<string, { readonly bytes: Uint8Array; readonly writtenAt: number }>;

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
export const recordBytes = ({ records }: Pick<MemoryTables, "records">): number =>
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
export const memoryUpkeep = (
  tables: MemoryTables,
  blobs: MemoryBlobs,
  now: () => number,
): StoreUpkeep => ({
  ...agedOps(tables),
  ...endedOps(tables, now),
  ...contentOps(tables, blobs),
});
