import type { StoreUpkeep } from "@plasm/agent-core";
import type { Kysely } from "kysely";
import type { Tables } from "../schema/tables.ts";
import { ageFrom, agedRecords, settleRecords } from "./aged-records.ts";
import { endedSessions, endSession, expiredSessions, removeSession } from "./ended-sessions.ts";
import { removeCounters } from "./numbers.ts";
import { removeRecord, removeRecords } from "./records.ts";
import { freeSlots } from "./slots.ts";
import { usageAfter } from "./usage.ts";
import { removeBlobs, removeCatalogs, settleBlobs, settleWaves } from "./unused.ts";

/** What sweeps need, over one database or one of its transactions. */
export const upkeepOn = (db: Kysely<Tables>, now: () => number): StoreUpkeep => ({
  aged: (kind, until, limit) => agedRecords(db, kind, until, limit),
  ageFrom: (kind, scope, id, from) => ageFrom(db, kind, scope, id, from),
  remove: (kind, scope, id, version) => removeRecord(db, kind, scope, id, version),
  removeAll: (kind, scope, prefix) => removeRecords(db, kind, scope, prefix),
  removeCounters: (owner) => removeCounters(db, owner),
  freeSlots: (logicalId) => freeSlots(db, logicalId),
  expiredSessions: (but, limit) => expiredSessions(db, now(), but, limit),
  endSession: (key) => endSession(db, now(), key),
  endedSessions: (until, limit) => endedSessions(db, until, limit),
  removeSession: (key) => removeSession(db, key),
  removeCatalogs: (until, limit) => removeCatalogs(db, until, limit),
  removeBlobs: (until, limit) => removeBlobs(db, until, limit),
  settle: async (limit) =>
    (await settleRecords(db, now(), limit)) +
    (await settleWaves(db, limit)) +
    (await settleBlobs(db, now(), limit)),
  usage: (after, limit) => usageAfter(db, after, limit),
});
