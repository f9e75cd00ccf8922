import { createHash } from "node:crypto";
import type { Store, StoreOps } from "../store-port.ts";
import { emptyTables, type MemoryTables, memoryOps } from "./memory-tables.ts";
import { type MemoryBlobs, memoryUpkeep, recordBytes } from "./memory-upkeep.ts";

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
