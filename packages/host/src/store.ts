import { chmod, lstat, readdir } from "node:fs/promises";
import { userInfo } from "node:os";
import { join } from "node:path";
import { LOCAL, memoryStore, type OperationQueue, type Store } from "@plasm/agent-core";
import { keysIn, type KeyRing } from "@plasm/agent-core/internal";
import {
  openPostgresQueue,
  openPostgresStore,
  openSqliteStore,
  postgresPlace,
  readPostgresStore,
  readSqliteStore,
  StoreUnavailableError,
} from "@plasm/store";
import { HostStartError, settingIn, type Environment } from "./environment.ts";

/** The address of the PostgreSQL that replicas share: a secret, read from the environment only. */
const DATABASE_SETTING = "PLASM_DATABASE_URL";

/** The address of the database that replicas share; null for the data directory. */
export function databaseUrl(env: Environment): string | null {
  const url = settingIn(env, DATABASE_SETTING);
  return url === "" ? null : url;
}

/** A store, and where it is. */
export interface OpenedStore {
  readonly store: Store;
  /** where sessions and results are, in words without a secret; null for the data directory */
  readonly place: string | null;
}

/**
 * Opens the store: the PostgreSQL of `PLASM_DATABASE_URL`, else the embedded one in the data directory
 * (SESS-33). Throws HostStartError.
 */
export function openStore(dataDir: string, env: Environment): Promise<OpenedStore> {
  const url = settingIn(env, DATABASE_SETTING);
  return explained(url, async () => {
    if (url === "") return { store: await openSqliteStore({ dataDir }), place: null };
    return { place: await postgresPlace(url), store: await openPostgresStore({ url }) };
  });
}

/**
 * Opens the same store to read it: a look makes no store, and brings none up to date. One that is not there is read as an empty one.
 * Throws HostStartError.
 */
export async function readStore(dataDir: string, env: Environment): Promise<Store> {
  const url = settingIn(env, DATABASE_SETTING);
  const read = () => (url === "" ? readSqliteStore({ dataDir }) : readPostgresStore({ url }));
  return (await explained(url, read)) ?? memoryStore();
}

/** How a queue is worked on by this process. */
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
  env: Environment,
  { most, warn }: QueueSettings,
): Promise<OperationQueue | null> {
  const url = settingIn(env, DATABASE_SETTING);
  if (url === "") return null;
  return explained(url, () => openPostgresQueue({ url, most, warn }));
}

async function explained<T>(url: string, open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (thrown) {
    if (!(thrown instanceof StoreUnavailableError)) throw thrown;
    const setting = url === "" ? "" : ` The address is that of ${DATABASE_SETTING}.`;
    throw new HostStartError(`${thrown.message}${setting}`, { cause: thrown });
  }
}

/** The keys of a deployment, open for changes. */
export interface OpenedKeys {
  readonly keys: KeyRing;
  /** where they are, in words without a secret */
  readonly place: string;
  close(): Promise<void>;
}

/** Whoever runs a command on this machine, as the audit log tells it (OPS-40). */
function commandLineUser(): string {
  try {
    return `command line (${userInfo().username})`;
  } catch {
    // A user that the system has no name for.
    return "command line";
  }
}

/** Who calls without any proof, and the tenant of such callers: names that no key may have. */
export const UNNAMED = Object.freeze({ tenant: LOCAL.scope, subject: LOCAL.subject });

/**
 * Opens the keys in the store of a data directory, or of the database that replicas share (SURF-23). A
 * server on that store sees a change at once. Throws HostStartError.
 */
export async function openKeys(dataDir: string, env: Environment): Promise<OpenedKeys> {
  const { store, place } = await openStore(dataDir, env);
  const keys = keysIn(store, commandLineUser());
  return { keys, place: place ?? dataDir, close: () => store.close() };
}

/** The bits of a mode that let other users use a file. */
const OTHERS = 0o077;
const OWNER_FILE = 0o600;
const OWNER_DIRECTORY = 0o700;

/** What Plasm keeps in a data directory; anything else there is not its own. */
const STORE_FILES = ["plasm.db", "plasm.db-wal", "plasm.db-shm"];
const DIRECTORIES = ["credentials", "compiled", "spill"];

/**
 * Makes the store and the credentials of a data directory private to their owner, as they were created, and
 * returns a remark on each that was not. The directory itself keeps its mode: it may hold more than Plasm's files.
 */
export async function keepPrivate(dataDir: string): Promise<readonly string[]> {
  if (process.platform === "win32") return [];
  const directory = await lstat(dataDir).catch(() => null);
  // Nobody else can reach what is in it.
  if (directory === null || (directory.mode & OTHERS) === 0) return [];
  const credentials = join(dataDir, "credentials");
  const names = await readdir(credentials).catch(() => []);
  const paths = [
    ...[...STORE_FILES, ...DIRECTORIES].map((name) => join(dataDir, name)),
    ...names.map((name) => join(credentials, name)),
  ];
  return (await Promise.all(paths.map(keepOnePrivate))).flat();
}

const octal = (mode: number): string => `0${(mode & 0o777).toString(8)}`;

async function keepOnePrivate(path: string): Promise<readonly string[]> {
  const found = await lstat(path).catch(() => null);
  if (found === null || (!found.isFile() && !found.isDirectory())) return [];
  if ((found.mode & OTHERS) === 0) return [];
  const own = found.isDirectory() ? OWNER_DIRECTORY : OWNER_FILE;
  const was = `${path} could be used by other users of this machine (mode ${octal(found.mode)})`;
  try {
    await chmod(path, own);
    return [`${was}; it is ${octal(own)} now. Change the credentials in it if they may be known.`];
  } catch {
    return [`${was}, and that cannot be changed: as its owner, chmod ${octal(own)} ${path}`];
  }
}
