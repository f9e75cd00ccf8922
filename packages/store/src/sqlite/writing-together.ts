import type { Store, StoreOps } from "@plasm/agent-core";
import { opsOn, type StoreDatabase, storeOn } from "../queries/store.ts";
import { ampleLifetime, renewSession } from "../queries/sessions.ts";
import {
  forgetSession,
  forgetting,
  rememberedLookups,
  type RememberedReads,
} from "./remembered-reads.ts";
import type { SharedCommits } from "./share-commits.ts";

/** What of the port writes: all of that waits for the disk, and none of the rest. */
const WRITES: Readonly<Record<keyof StoreOps, boolean>> = {
  now: false,
  get: false,
  peek: false,
  getAll: false,
  insert: true,
  cas: true,
  list: false,
  range: false,
  delete: true,
  putBlob: true,
  nextNumber: true,
  slotOf: true,
  heldSlot: false,
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
  usage: false,
};

type Call = (...given: readonly unknown[]) => Promise<unknown>;

/** The calls that write, each in a transaction of its own. */
function writesIn(transaction: Store["transaction"]): Partial<StoreOps> {
  const names = Object.entries(WRITES).flatMap(([name, writes]) => (writes ? [name] : []));
  const calls = names.map((name): [string, Call] => [
    name,
    (...given) =>
      transaction(
        (tx) =>
          (tx as unknown as Readonly<Record<string, Call>>)[name]?.(...given) ??
          Promise.reject(new Error(`No ${name}`)),
      ),
  ]);
  return Object.fromEntries(calls) as Partial<StoreOps>;
}

/**
 * Sessions that live so much longer, in ms, are renewed while their call goes on: whoever looks meanwhile finds them
 * alive, so that a look-up still renews or reports the loss (SESS-11).
 */
const AMPLE_MS = 60_000;

/** Renews a session, and gives it as it is then; null if it is lost. */
async function renewed(
  { now }: StoreDatabase,
  { soon, later }: SharedCommits,
  look: StoreOps["session"],
  reads: RememberedReads,
  ...[scope, key, lifetimeMs]: Parameters<StoreOps["renewSession"]>
): ReturnType<StoreOps["renewSession"]> {
  const [at, standing] = [now(), await look(scope, key)];
  const renew = (ms: number) => (tx: StoreDatabase["db"]) => {
    forgetSession(reads, key.sessionId);
    return renewSession(tx, now(), scope, key, ms);
  };
  if (standing === null || standing.expiresAt - at < AMPLE_MS) return soon(renew(lifetimeMs));
  if (standing.expiresAt - at < lifetimeMs) later(renew(ampleLifetime(lifetimeMs)));
  return { ...standing, expiresAt: Math.max(standing.expiresAt, at + lifetimeMs) };
}

/**
 * A store whose single writes share commits as its transactions do, and which remembers what each call looks up. A
 * session that is renewed, and what is asked to be no more than visible, is durable before its call is answered
 * ({@link Store.durable}).
 */
export function writingTogether(
  database: StoreDatabase,
  commits: SharedCommits,
  reads: RememberedReads,
): Store {
  const store = storeOn(database);
  const { now } = database;
  const { alone, soon, durable } = commits;
  const lookups = rememberedLookups(store, reads);
  const transaction: Store["transaction"] = (work, until = "durable") =>
    (until === "durable" ? alone : soon)((tx) => work(forgetting(opsOn(tx, now), reads)));
  return {
    ...store,
    ...writesIn(transaction),
    ...lookups,
    transaction,
    durable,
    slotOf: async (principal, logicalId) =>
      (await lookups.heldSlot(principal, logicalId)) ??
      transaction((tx) => tx.slotOf(principal, logicalId)),
    renewSession: (scope, key, ms) =>
      renewed(database, commits, lookups.session, reads, scope, key, ms),
  };
}
