import { keysIn, LOCAL, type Keys } from "@plasm/agent-core";
import { openStore } from "./open-store.ts";

/** The keys of a deployment, open for changes. */
export interface OpenedKeys {
  readonly keys: Keys;
  /** where they are, in words without a secret */
  readonly place: string;
  close(): Promise<void>;
}

/** Who calls without any proof, and the tenant of such callers: names that no key is given. */
export const UNNAMED = Object.freeze({ tenant: LOCAL.scope, subject: LOCAL.subject });

/**
 * Opens the keys in the store of a data directory, or of the database that replicas share (SURF-23). A
 * server on that store knows of a change at once. Throws HostStartError.
 */
export async function openKeys(
  dataDir: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<OpenedKeys> {
  const { store, place } = await openStore(dataDir, env);
  return { keys: keysIn(store), place: place ?? dataDir, close: () => store.close() };
}
