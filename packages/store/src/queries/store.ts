import type { Store, StoreOps } from "@plasm/agent-core";
import type { Kysely } from "kysely";
import type { Tables } from "../schema/tables.ts";
import { getBlob } from "./blobs.ts";
import { opsOn } from "./ops.ts";
import type { Alone } from "./records.ts";

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
