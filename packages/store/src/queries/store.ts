import type { Store } from "@plasm/agent-core";
import { sql, type Kysely } from "kysely";
import type { Tables } from "../schema/tables.ts";
import { getBlob, putBlob } from "./blobs.ts";
import { opsOn } from "./ops.ts";

/** The storage port over an open, migrated database. */
export function storeOn(db: Kysely<Tables>, now: () => number): Store {
  return {
    ...opsOn(db, now),
    transaction: (work) => db.transaction().execute((tx) => work(opsOn(tx, now))),
    putBlob: (sha256, bytes) => putBlob(db, sha256, bytes),
    getBlob: (sha256) => getBlob(db, sha256),
    ping: async () => {
      await sql`select 1`.execute(db);
    },
    close: () => db.destroy(),
  };
}
