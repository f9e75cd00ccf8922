import { createHash } from "node:crypto";
import type { Store } from "../ports.ts";
import { emptyTables, opsOn, type MemoryTables } from "./memory-tables.ts";

/** A store in memory, for tests only (SESS-33), whose clock the test moves. */
export interface MemoryStore extends Store {
  /** Moves the store's clock on, in ms. */
  advance(ms: number): void;
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

/** Opens an empty store. Calls take turns, so that a transaction is alone and rolls back whole. */
export function memoryStore(): MemoryStore {
  const tables = emptyTables();
  const blobs = new Map<string, Uint8Array>();
  let now = Date.UTC(2026, 0, 5, 10);
  const inTurn = turns();
  const ops = opsOn(tables, () => now);
  return {
    now: () => now,
    advance: (ms) => void (now += ms),
    get: (...args) => inTurn(() => ops.get(...args)),
    insert: (...args) => inTurn(() => ops.insert(...args)),
    cas: (...args) => inTurn(() => ops.cas(...args)),
    list: (...args) => inTurn(() => ops.list(...args)),
    delete: (...args) => inTurn(() => ops.delete(...args)),
    nextNumber: (...args) => inTurn(() => ops.nextNumber(...args)),
    slotOf: (...args) => inTurn(() => ops.slotOf(...args)),
    logicalAtSlot: (...args) => inTurn(() => ops.logicalAtSlot(...args)),
    findOrCreateSession: (...args) => inTurn(() => ops.findOrCreateSession(...args)),
    liveSession: (...args) => inTurn(() => ops.liveSession(...args)),
    session: (...args) => inTurn(() => ops.session(...args)),
    renewSession: (...args) => inTurn(() => ops.renewSession(...args)),
    appendWaves: (...args) => inTurn(() => ops.appendWaves(...args)),
    waves: (...args) => inTurn(() => ops.waves(...args)),
    pinCatalog: (...args) => inTurn(() => ops.pinCatalog(...args)),
    pinnedCatalog: (...args) => inTurn(() => ops.pinnedCatalog(...args)),
    transaction: (work) =>
      inTurn(async () => {
        const before = structuredClone(tables);
        try {
          return await work(ops);
        } catch (thrown) {
          restore(tables, before);
          throw thrown;
        }
      }),
    putBlob: async (sha256, bytes) => {
      const name = createHash("sha256").update(bytes).digest("hex");
      if (name !== sha256) throw new Error("A blob's name is the SHA-256 of its bytes");
      blobs.set(sha256, bytes);
    },
    getBlob: async (sha256) => blobs.get(sha256) ?? null,
    ping: async () => undefined,
    close: async () => undefined,
  };
}
