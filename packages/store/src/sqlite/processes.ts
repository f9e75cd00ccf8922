import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** A file that several processes cannot share, since its file system cannot lock. */
export class NoLocksError extends Error {
  override readonly name = "NoLocksError";

  constructor(why: string, options?: ErrorOptions) {
    super(
      `its file system does not let processes share a file safely (${why}), as network shares and some mounts do not`,
      options,
    );
  }
}

/** SQLite's codes of locks that a file system does not have or lend: of a protocol, of large files, of reading. */
const PROTOCOL = 15;
const NO_LARGE_FILES = 22;
const IO = 10;
/** Kinds of reading errors that are about locks and shared memory: see SQLite's extended result codes. */
const LOCKS: ReadonlySet<number> = new Set([8, 9, 14, 15, 18, 19, 20, 21]);

function isOfLocks(thrown: unknown): boolean {
  const code = (thrown as { readonly errcode?: unknown } | null)?.errcode;
  if (typeof code !== "number") return false;
  const kind = code & 0xff;
  return kind === PROTOCOL || kind === NO_LARGE_FILES || (kind === IO && LOCKS.has(code >> 8));
}

function askForWal(database: DatabaseSync): unknown {
  try {
    return database.prepare("pragma journal_mode = wal").get()?.["journal_mode"];
  } catch (thrown) {
    if (!isOfLocks(thrown)) throw thrown;
    const why = thrown instanceof Error ? thrown.message : "no locks";
    throw new NoLocksError(why, { cause: thrown });
  }
}

/**
 * Has a database written ahead (WAL), so that processes read while one writes (SESS-33). Throws
 * NoLocksError where the file system has neither locks nor memory for that: then no lock could be trusted.
 */
export function shareAmongProcesses(database: DatabaseSync): void {
  const mode = askForWal(database);
  if (mode !== "wal") throw new NoLocksError(`journal mode ${String(mode)}`);
}

/** Where each process that has a data directory open holds a lock, beside the database. */
const DIRECTORY = "processes";
const OWNER_DIRECTORY = 0o700;
/** SQLite's code of a file that somebody else has locked. */
const BUSY = 5;
const ID = /^[0-9a-f-]{36}$/;

/** The processes on a data directory: a lock that the system gives up with its process says who is alive. */
export interface Processes {
  /** this process, as long as it has the directory open */
  readonly own: string;
  /** Whether a process that had the directory open is certainly gone; false where that cannot be said. */
  isGone(id: string): boolean;
  close(): void;
}

/** Locks a file of its own, in the way SQLite does on this system; null where somebody else has. */
function locked(path: string): DatabaseSync | null {
  const file = new DatabaseSync(path);
  try {
    file.exec("pragma busy_timeout = 0; pragma journal_mode = memory; begin exclusive");
    return file;
  } catch (thrown) {
    file.close();
    if (((thrown as { readonly errcode?: number }).errcode ?? 0) % 256 === BUSY) return null;
    throw thrown;
  }
}

/** Gives a lock up; its file is of no use without it. */
function unlock(file: DatabaseSync, path: string): void {
  file.close();
  rmSync(path, { force: true });
}

/** Joins the processes on a data directory that exists. */
export function joinProcesses(dataDir: string): Processes {
  const directory = join(dataDir, DIRECTORY);
  mkdirSync(directory, { recursive: true, mode: OWNER_DIRECTORY });
  const own = randomUUID();
  const pathOf = (id: string): string => join(directory, id);
  const lock = locked(pathOf(own));
  if (lock === null) throw new Error("A lock of this process alone is taken");
  const gone = new Set<string>();
  return {
    own,
    isGone: (id) => {
      if (id === own || !ID.test(id)) return false;
      if (gone.has(id)) return true;
      const path = pathOf(id);
      if (existsSync(path)) {
        const left = locked(path);
        if (left === null) return false;
        unlock(left, path);
      }
      gone.add(id);
      return true;
    },
    // A store may be closed twice.
    close: () => {
      if (lock.isOpen) unlock(lock, pathOf(own));
    },
  };
}
