import type { Store, StoreOps } from "@plasm/agent-core";

/** What was asked of a store: calls that read, calls that write, and the characters of both. */
export interface StoreUse {
  reads: number;
  readCharacters: number;
  writes: number;
  writtenCharacters: number;
}

const READING: readonly string[] = [
  "get",
  "list",
  "slots",
  "heldSlot",
  "logicalAtSlot",
  "liveSession",
  "session",
  "waves",
  "pinnedCatalog",
  "isPinned",
];
/** Neither reads nor writes what a session has. */
const OTHERS: readonly string[] = ["now", "transaction", "ping", "close", "foreignChanges"];

const charactersOf = (value: unknown): number => JSON.stringify(value ?? null).length;

/** Traces are written behind calls, many events at a time: they are no cost of one call. */
const isTrace = ([kind]: readonly unknown[]): boolean => kind === "trace" || kind === "traceEvents";

function counting<T extends object>(ops: T, use: StoreUse): T {
  const counted = Object.entries(ops).map(([name, call]: [string, unknown]) => {
    if (OTHERS.includes(name) || typeof call !== "function") return [name, call];
    const ask = async (...args: readonly unknown[]): Promise<unknown> => {
      const answer: unknown = await (call as (...given: readonly unknown[]) => unknown)(...args);
      if (isTrace(args)) return answer;
      if (READING.includes(name)) {
        use.reads += 1;
        use.readCharacters += charactersOf(answer);
      } else {
        use.writes += 1;
        use.writtenCharacters += charactersOf(args);
      }
      return answer;
    };
    return [name, ask];
  });
  return Object.fromEntries(counted) as T;
}

/** The same store, which counts what is asked of it, transactions included. */
export function countedStore(store: Store, use: StoreUse): Store {
  return {
    ...counting(store, use),
    transaction: <T>(work: (tx: StoreOps) => Promise<T>) =>
      store.transaction((tx) => work(counting(tx, use))),
  };
}
