import type { Store } from "@plasm/agent-core";
import { sql, type Kysely } from "kysely";
import type { Tables } from "../schema/tables.ts";
import { getBlob, putBlob } from "./blobs.ts";
import { opsOn } from "./ops.ts";

/** Takes the write lock and changes nothing: it fails where the database cannot be written. */
const touch = sql`update counters set next = next where 1 = 0`;

/**
 * The storage port over an open, migrated database. `stillThere` throws where what was opened is no
 * longer what a restart would find.
 */
export function storeOn(
  db: Kysely<Tables>,
  now: () => number,
  stillThere: () => void = () => undefined,
): Store {
  return {
    ...opsOn(db, now),
    transaction: (work) => db.transaction().execute((tx) => work(opsOn(tx, now))),
    putBlob: (sha256, bytes) => putBlob(db, sha256, bytes),
    getBlob: (sha256) => getBlob(db, sha256),
    ping: async () => {
      stillThere();
      await db.transaction().execute((tx) => touch.execute(tx));
    },
    close: () => db.destroy(),
  };
}
