import type { Store, StoreOps } from "@plasm/agent-core";
import { storeOn, type StoreDatabase } from "../queries/store.ts";

/** A store whose single writes share commits as its transactions do. */
export function writingTogether(database: StoreDatabase): Store {
  const store = storeOn(database);
  const write = <T>(work: (tx: StoreOps) => Promise<T>): Promise<T> => store.transaction(work);
  return {
    ...store,
    insert: (kind, scope, id, value) => write((tx) => tx.insert(kind, scope, id, value)),
    cas: (kind, scope, id, version, next) => write((tx) => tx.cas(kind, scope, id, version, next)),
    delete: (kind, scope, id) => write((tx) => tx.delete(kind, scope, id)),
    nextNumber: (owner, kind) => write((tx) => tx.nextNumber(owner, kind)),
    renewSession: (scope, key, ms) => write((tx) => tx.renewSession(scope, key, ms)),
    putBlob: (sha256, bytes) => write((tx) => tx.putBlob(sha256, bytes)),
  };
}
