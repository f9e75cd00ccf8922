import type { Store, StoreOps } from "@plasm/agent-core";
import type { Kysely } from "kysely";
import type { Tables } from "../schema/tables.ts";
import { getBlob, putBlob } from "./blobs.ts";
import {
  type Alone,
  casRecord,
  deleteRecord,
  getRecord,
  getRecords,
  insertRecord,
  listRecords,
  recordsInRange,
  peekRecord,
} from "./records.ts";
import {
  appendWaves,
  isPinned,
  pinCatalog,
  pinnedCatalog,
  pinnedCatalogs,
  readWaves,
  withdrawCatalog,
} from "./session-content.ts";
import { heldSlot, logicalAtSlot, nextNumber, slotOf, heldSlots } from "./numbers.ts";
import {
  findOrCreateSession,
  giveUpReuseKey,
  liveByReuseKey,
  readSession,
  renewSession,
} from "./sessions.ts";
import { upkeepOn } from "./upkeep.ts";

/** What a database brings to the queries. */
export interface StoreDatabase {
  /** open and migrated */
  readonly db: Kysely<Tables>;
  readonly now: () => number;
  readonly alone: Alone;
  /** Fails where the database cannot be written, or is no longer what a restart would find. */
  readonly ping: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** The storage port over a database. */
export function storeOn({ db, now, alone, ping, close }: StoreDatabase): Store {
  return {
    ...opsOn(db, now, alone),
    transaction: <T>(work: (tx: StoreOps) => Promise<T>) => alone((tx) => work(opsOn(tx, now))),
    getBlob: (sha256) => getBlob(db, sha256),
    ping,
    close,
  };
}

/** The storage port over one of a database's transactions, or over the database, where `alone` begins one. */
export function opsOn(
  db: Kysely<Tables>,
  now: () => number,
  alone: Alone = (work) => work(db),
): StoreOps {
  return {
    now,
    ...upkeepOn(db, now),
    get: (kind, scope, id) => getRecord(db, kind, scope, id),
    peek: (kind, scope, id) => peekRecord(db, kind, scope, id),
    getAll: (kind, scope, ids) => getRecords(db, kind, scope, ids),
    insert: (kind, scope, id, value) => insertRecord(db, alone, now(), kind, scope, id, value),
    cas: (kind, scope, id, version, next) =>
      casRecord(db, alone, now(), kind, scope, id, version, next),
    list: (kind, scope, prefix) => listRecords(db, kind, scope, prefix),
    range: (kind, scope, range) => recordsInRange(db, kind, scope, range),
    delete: (kind, scope, id) => deleteRecord(db, kind, scope, id),
    putBlob: (sha256, bytes) => putBlob(db, now(), sha256, bytes),
    nextNumber: (owner, kind) => nextNumber(db, owner, kind),
    slotOf: (principal, logicalId) => slotOf(db, principal, logicalId),
    heldSlot: (principal, logicalId) => heldSlot(db, principal, logicalId),
    logicalAtSlot: (principal, slot) => logicalAtSlot(db, principal, slot),
    slots: (principal) => heldSlots(db, principal),
    findOrCreateSession: (key, make) => findOrCreateSession(db, now(), key, make),
    liveSession: (key) => liveByReuseKey(db, key, now()),
    giveUpReuseKey: (key) => giveUpReuseKey(db, key),
    session: (scope, key) => readSession(db, scope, key),
    renewSession: (scope, key, lifetimeMs) => renewSession(db, now(), scope, key, lifetimeMs),
    appendWaves: (key, length, waves) => appendWaves(db, key, length, waves),
    waves: (key, after) => readWaves(db, key, after),
    pinCatalog: (catalog) => pinCatalog(db, now(), catalog),
    pinnedCatalog: (digest) => pinnedCatalog(db, digest),
    isPinned: (digest) => isPinned(db, digest),
    pinnedCatalogs: (entryId) => pinnedCatalogs(db, entryId),
    withdrawCatalog: (digest) => withdrawCatalog(db, digest),
  };
}
