import type { Store, StoreSize } from "@plasm/agent-core";
import { Kysely, sql } from "kysely";
import { closeSync, mkdirSync, openSync, statSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setImmediate as otherWork, setTimeout as sleep } from "node:timers/promises";
import { isNewest, migrateToLatest } from "../migrations/migrate.ts";
import { storeOn } from "../queries/store.ts";
import type { DialectTypes, Tables } from "../schema/tables.ts";
import { StoreUnavailableError, reasonOf } from "../store-unavailable-error.ts";
import { nodeSqlite, sqliteDialect } from "./dialect.ts";
import { skipLostNumbers } from "./power-loss.ts";
import { NoLocksError, joinProcesses, shareAmongProcesses } from "./processes.ts";
import { RememberedReads } from "./remembered-reads.ts";
import { shareCommits } from "./share-commits.ts";
import { shareSync } from "./shared-sync.ts";
import { faultOf, sqliteError } from "./sqlite-error.ts";
import { writingTogether } from "./writing-together.ts";

/** Pages that are given back at a time: a few milliseconds, between which others have their turn. */
const PORTION = 256;

/** Free pages that are kept: they are used again soon. */
const SPARE = 256;

/** The log is cut to this size when it has been written into the file. */
const LOG_BYTES = 16 * 1024 * 1024;

/** A file up to this size is rewritten within a second, so that what is freed in it can be given back. */
const REWRITTEN_BYTES = 32 * 1024 * 1024;

const INCREMENTAL = 2;

const numberOf = (database: DatabaseSync, pragma: string): number =>
  Number(Object.values(database.prepare(`pragma ${pragma}`).get() ?? {})[0] ?? 0);

/** Before the first table is made: freed space of the file can be given back while it is used. */
function prepareSpace(database: DatabaseSync): void {
  database.exec(`pragma auto_vacuum = incremental`);
  database.exec(`pragma journal_size_limit = ${LOG_BYTES}`);
}

/**
 * The same for a file that an earlier program made, if it is small: it is rewritten. A larger one goes on, and what is
 * freed in it is used again.
 */
function adoptSpace(database: DatabaseSync): void {
  if (numberOf(database, "auto_vacuum") === INCREMENTAL) return;
  const size = numberOf(database, "page_count") * numberOf(database, "page_size");
  if (size > REWRITTEN_BYTES) return;
  try {
    database.exec("pragma auto_vacuum = incremental");
    database.exec("vacuum");
  } catch {
    // Another process uses it, or the disk is full: the next start tries again.
  }
}

const fileSize = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

function databaseSize(database: DatabaseSync, path: string): StoreSize {
  const [pages, free] = [numberOf(database, "page_count"), numberOf(database, "freelist_count")];
  const log = fileSize(`${path}-wal`);
  const used = (pages - free) * numberOf(database, "page_size");
  return { used, onDisk: fileSize(path) + log };
}

/** Gives free pages back to the disk, and cuts the log. */
async function reclaimSpace(database: DatabaseSync): Promise<void> {
  if (numberOf(database, "auto_vacuum") === INCREMENTAL) {
    for (;;) {
      const free = numberOf(database, "freelist_count");
      if (free <= SPARE) break;
      database.exec(`pragma incremental_vacuum(${Math.min(PORTION, free - SPARE)})`);
      if (numberOf(database, "freelist_count") >= free) break;
      await otherWork();
    }
  }
  database.prepare("pragma wal_checkpoint(truncate)").get();
}

/** How a SQLite store is opened. */
export interface SqliteOptions {
  /** directory that holds `plasm.db`; created if missing */
  readonly dataDir: string;
  /** milliseconds since the epoch; the host's clock by default */
  readonly now?: () => number;
}

/** Waiting time for another process's write lock. */
const BUSY_MS = 5_000;

/** Time between two attempts to open a database that another process is opening. */
const OPENING_MS = 20;

const FILE = "plasm.db";

/** Sessions and results are their owner's alone. */
const OWNER_DIRECTORY = 0o700;
const OWNER_FILE = 0o600;

const LOCAL_DISK = "one on a disk of this machine";

/** What names a file on its disk, whatever its path; null if there is none. */
function identityOf(path: string): string | null {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? null : `${found.dev}:${found.ino}`;
}

/**
 * Tells whether the database still stands at its path: an open one goes on working after its
 * directory was deleted, and all it is told then is lost.
 */
function watchFile(dataDir: string): () => void {
  const path = join(dataDir, FILE);
  const opened = identityOf(path);
  return () => {
    if (opened !== null && identityOf(path) === opened) return;
    throw new StoreUnavailableError(
      `The data directory ${dataDir} was deleted or replaced while it was in use. Restart the server.`,
      { fault: "removed" },
    );
  };
}

/** Why a data directory cannot be opened, and what to do about that very fault (SESS-33). */
function openingError(dataDir: string, cause: unknown): StoreUnavailableError {
  const fault = faultOf(cause) ?? "unreachable";
  const why = reasonOf(cause);
  if (fault === "damaged") return damaged(dataDir, cause);
  if (fault === "full") {
    const text = `The disk of the data directory ${dataDir} is full (${why}). Free space, or choose another directory with --data DIR.`;
    return new StoreUnavailableError(text, { cause, fault });
  }
  if (fault === "busy") {
    const text = `The data directory ${dataDir} is locked by another process, and was for ${BUSY_MS / 1_000} s (${why}). Try again, end that process, or choose another directory with --data DIR.`;
    return new StoreUnavailableError(text, { cause, fault });
  }
  const advice = cause instanceof NoLocksError ? LOCAL_DISK : "a writable directory";
  const text = `The data directory ${dataDir} cannot be used: ${why}. Choose ${advice} with --data DIR.`;
  return new StoreUnavailableError(text, { cause, fault });
}

function damaged(dataDir: string, cause: unknown): StoreUnavailableError {
  const file = join(dataDir, FILE);
  return new StoreUnavailableError(
    `The database file ${file} is damaged (${reasonOf(cause)}). Stop every process that uses it, then restore it from a backup, or save what can be read: sqlite3 ${file} .recover | sqlite3 recovered.db. Moving ${FILE}, ${FILE}-wal and ${FILE}-shm away starts with an empty store.`,
    { cause, fault: "damaged" },
  );
}

/** One attempt: another process that opens the same new file at the same time has it locked. */
function tryToOpen(path: string): DatabaseSync {
  const database = new DatabaseSync(path);
  try {
    prepareSpace(database);
    shareAmongProcesses(database);
    database.exec(`pragma busy_timeout = ${BUSY_MS}`);
    // Commits are told of when the log is on the disk (shareCommits): SQLite need not wait for that as well.
    database.exec("pragma synchronous = normal");
    database.exec("pragma foreign_keys = on");
    return database;
  } catch (thrown) {
    database.close();
    throw thrown;
  }
}

/**
 * Opens the database, also where other processes make or open it at the same time: SQLite does not wait by
 * itself for the lock under which a file begins to be written ahead. Throws StoreUnavailableError.
 */
async function openDatabase(dataDir: string): Promise<DatabaseSync> {
  const path = join(dataDir, FILE);
  const deadline = performance.now() + BUSY_MS;
  try {
    mkdirSync(dataDir, { recursive: true, mode: OWNER_DIRECTORY });
    // SQLite would make it as open as the process's umask lets it be.
    closeSync(openSync(path, "a", OWNER_FILE));
    for (;;) {
      try {
        return tryToOpen(path);
      } catch (thrown) {
        if (faultOf(thrown) !== "busy" || performance.now() > deadline) throw thrown;
        await sleep(OPENING_MS);
      }
    }
  } catch (cause) {
    throw openingError(dataDir, cause);
  }
}

/** Writes a row and takes it back, so that a disk that cannot take it is found before a caller's work is (SESS-33). */
const writeOneRow = async (db: Kysely<Tables>): Promise<void> => {
  await sql`insert into counters (owner, kind, next) values ('', 'ping', 1)`.execute(db);
  await sql`delete from counters where owner = '' and kind = 'ping'`.execute(db);
};

/** Another number whenever another connection has changed the database. */
function dataVersionOf(database: DatabaseSync): () => number {
  const version = database.prepare("pragma data_version");
  return () => {
    try {
      return Number(version.get()?.["data_version"]);
    } catch (thrown) {
      throw sqliteError(thrown);
    }
  };
}

/**
 * Opens the embedded store in a data directory, migrated to the newest schema (SESS-33). Every
 * write is durable before its promise resolves; several processes may share the directory.
 * Throws StoreUnavailableError.
 */
export async function openSqliteStore(options: SqliteOptions): Promise<Store> {
  const opened = await openDatabase(options.dataDir);
  const db = new Kysely<Tables>({ dialect: sqliteDialect(nodeSqlite(opened)) });
  try {
    await migrateToLatest(db, { types: sqliteTypes });
    skipLostNumbers(opened);
  } catch (cause) {
    opened.close();
    if (faultOf(cause) !== null) throw openingError(options.dataDir, cause);
    const text = `The store in ${options.dataDir} cannot be brought up to date: ${reasonOf(cause)}`;
    throw new StoreUnavailableError(text, { cause });
  }
  adoptSpace(opened);
  const path = join(options.dataDir, FILE);
  const log = logFileOf(path);
  const processes = joinProcesses(options.dataDir);
  const disk = shareSync(log.sync);
  const dataVersion = dataVersionOf(opened);
  const stillThere = watchFile(options.dataDir);
  const commits = shareCommits(db, disk, stillThere);
  const database = {
    db,
    now: options.now ?? Date.now,
    alone: commits.alone,
    ping: async () => {
      stillThere();
      await commits.first(writeOneRow);
    },
    close: async () => {
      await commits.settled();
      await log.close();
      await db.destroy();
      processes.close();
    },
  };
  return {
    ...writingTogether(database, commits, new RememberedReads(dataVersion)),
    foreignChanges: dataVersion,
    size: async () => databaseSize(opened, path),
    reclaim: () => reclaimSpace(opened),
    processes,
  };
}

const readsOnly = (): Promise<never> => Promise.reject(new Error("This store is open to read"));

/**
 * Opens the embedded store to read it: nothing is made, written or migrated. Null where there is none. Throws StoreUnavailableError, also
 * for one of an earlier program.
 */
export async function readSqliteStore({ dataDir, now }: SqliteOptions): Promise<Store | null> {
  const path = join(dataDir, FILE);
  if (identityOf(path) === null) return null;
  let opened: DatabaseSync | null = null;
  try {
    opened = new DatabaseSync(path, { readOnly: true });
    opened.exec(`pragma busy_timeout = ${BUSY_MS}`);
    const db = new Kysely<Tables>({ dialect: sqliteDialect(nodeSqlite(opened)) });
    if (await isNewest(db, { types: sqliteTypes })) {
      const close = () => db.destroy();
      return storeOn({ db, now: now ?? Date.now, alone: readsOnly, ping: readsOnly, close });
    }
    await db.destroy();
    return null;
  } catch (cause) {
    if (opened?.isOpen === true) opened.close();
    throw openingError(dataDir, cause);
  }
}

export const sqliteTypes: DialectTypes = {
  text: "text",
  bytes: "blob",
  rowNumber: { type: "integer", build: (column) => column.primaryKey().autoIncrement() },
};

/** The log that a database is written ahead to, as a file that can be asked to be on its disk. */
interface LogFile {
  /** Resolves when the disk has all that was written to the log before. Throws StoreUnavailableError. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** The log's name stands in its directory: that is written, too, where a system lets directories be opened. */
async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, "r").catch(() => null);
  if (directory === null) return;
  await directory.sync().catch(() => undefined);
  await directory.close();
}

/**
 * The log of a database that stays open meanwhile, so that SQLite keeps the file. It is opened when it is
 * first asked for, and synced by the system's own threads: SQLite would hold up the process.
 */
function logFileOf(databasePath: string): LogFile {
  let opened: Promise<FileHandle> | null = null;
  const openLog = async (): Promise<FileHandle> => {
    // Windows writes through those files alone that may be written.
    const file = await open(`${databasePath}-wal`, "r+");
    await syncDirectory(dirname(databasePath));
    return file;
  };
  return {
    sync: async () => {
      try {
        opened ??= openLog();
        await (await opened).datasync();
      } catch (cause) {
        opened = null;
        const why = `The store could not be written to its disk: ${reasonOf(cause)}.`;
        throw new StoreUnavailableError(why, { cause, fault: faultOf(cause) ?? "unreachable" });
      }
    },
    close: async () => {
      await (await opened?.catch(() => null))?.close();
    },
  };
}
