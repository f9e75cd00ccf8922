import type { Store, StoreOps } from "@plasm/agent-core";
import { opsOn } from "../queries/ops.ts";
import { heldSlot } from "../queries/slots.ts";
import { storeOn, type StoreDatabase } from "../queries/store.ts";
import type { SharedCommits } from "./share-commits.ts";

/** What of the port writes: all of that waits for the disk, and none of the rest. */
const WRITES: Readonly<Record<keyof StoreOps, boolean>> = {
  now: false,
  get: false,
  insert: true,
  cas: true,
  list: false,
  delete: true,
  putBlob: true,
  nextNumber: true,
  slotOf: true,
  logicalAtSlot: false,
  slots: false,
  findOrCreateSession: true,
  liveSession: false,
  giveUpReuseKey: true,
  session: false,
  renewSession: true,
  appendWaves: true,
  waves: false,
  pinCatalog: true,
  pinnedCatalog: false,
  isPinned: false,
  pinnedCatalogs: false,
  withdrawCatalog: true,
  aged: false,
  ageFrom: true,
  remove: true,
  removeAll: true,
  removeCounters: true,
  freeSlots: true,
  expiredSessions: false,
  endSession: true,
  endedSessions: false,
  removeSession: true,
  removeCatalogs: true,
  removeBlobs: true,
  settle: true,
};

type Call = (...given: readonly unknown[]) => Promise<unknown>;

/** The calls that write, each in a transaction of its own. */
function writesOf(store: Store): Partial<StoreOps> {
  const names = Object.entries(WRITES).flatMap(([name, writes]) => (writes ? [name] : []));
  const calls = names.map((name): [string, Call] => [
    name,
    (...given) =>
      store.transaction(
        (tx) =>
          (tx as unknown as Readonly<Record<string, Call>>)[name]?.(...given) ??
          Promise.reject(new Error(`No ${name}`)),
      ),
  ]);
  return Object.fromEntries(calls) as Partial<StoreOps>;
}

/**
 * A store whose single writes share commits as its transactions do. A session that is renewed is so for others
 * at once, and durable before its call is answered.
 */
export function writingTogether(database: StoreDatabase, soon: SharedCommits["soon"]): Store {
  const store = storeOn(database);
  const { db, now } = database;
  return {
    ...store,
    ...writesOf(store),
    slotOf: async (principal, logicalId) =>
      (await heldSlot(db, principal, logicalId)) ??
      store.transaction((tx) => tx.slotOf(principal, logicalId)),
    renewSession: (scope, key, ms) => soon((tx) => opsOn(tx, now).renewSession(scope, key, ms)),
  };
}
