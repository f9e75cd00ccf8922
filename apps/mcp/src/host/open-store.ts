import type { OperationQueue, Store } from "@plasm/agent-core";
import {
  openPostgresQueue,
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

type Env = Readonly<Record<string, string | undefined>>;

const urlIn = (env: Env): string => env[SETTING]?.trim() ?? "";

async function told<T>(url: string, open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (thrown) {
    if (!(thrown instanceof StoreUnavailableError)) throw thrown;
    const setting = url === "" ? "" : ` The address is that of ${SETTING}.`;
    throw new HostStartError(`${thrown.message}${setting}`, { cause: thrown });
  }
}

/**
 * Opens the store: the PostgreSQL of `PLASM_DATABASE_URL`, else the embedded one in the data directory
 * (SESS-33). Throws HostStartError.
 */
export function openStore(dataDir: string, env: Env): Promise<OpenedStore> {
  const url = urlIn(env);
  return told(url, async () => {
    if (url === "") return { store: await openSqliteStore({ dataDir }), place: null };
    return { place: await postgresPlace(url), store: await openPostgresStore({ url }) };
  });
}

export interface QueueSettings {
  /** operations that this process runs at a time */
  readonly most: number;
  readonly warn: (what: string, cause: unknown) => void;
}

/**
 * Opens the queue that replicas share beside their store; null for the data directory, where each
 * process has a queue of its own (OPS-31). Throws HostStartError.
 */
export async function openQueue(
  env: Env,
  { most, warn }: QueueSettings,
): Promise<OperationQueue | null> {
  const url = urlIn(env);
  if (url === "") return null;
  return told(url, () => openPostgresQueue({ url, most, warn }));
}
