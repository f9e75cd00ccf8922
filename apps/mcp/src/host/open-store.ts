import type { Store } from "@plasm/agent-core";
import {
  openPostgresStore,
  openSqliteStore,
  postgresPlace,
  StoreUnavailableError,
} from "@plasm/store";
import { HostStartError } from "./host-start-error.ts";

/** The address of the PostgreSQL that replicas share: a secret, read from the environment only. */
const SETTING = "PLASM_DATABASE_URL";

export interface OpenedStore {
  readonly store: Store;
  /** where sessions and results are, in words without a secret; null for the data directory */
  readonly place: string | null;
}

/**
 * Opens the store: the PostgreSQL of `PLASM_DATABASE_URL`, else the embedded one in the data directory
 * (SESS-33). Throws HostStartError.
 */
export async function openStore(
  dataDir: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<OpenedStore> {
  const url = env[SETTING]?.trim() ?? "";
  try {
    if (url === "") return { store: await openSqliteStore({ dataDir }), place: null };
    return { place: await postgresPlace(url), store: await openPostgresStore({ url }) };
  } catch (thrown) {
    if (!(thrown instanceof StoreUnavailableError)) throw thrown;
    const setting = url === "" ? "" : ` The address is that of ${SETTING}.`;
    throw new HostStartError(`${thrown.message}${setting}`, { cause: thrown });
  }
}
