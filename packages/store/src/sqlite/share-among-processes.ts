import type { DatabaseSync } from "node:sqlite";

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
