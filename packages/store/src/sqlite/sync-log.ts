import { open, type FileHandle } from "node:fs/promises";
import { dirname } from "node:path";
import { reasonOf, StoreUnavailableError } from "../store-unavailable-error.ts";
import { faultOf } from "./sqlite-error.ts";

/** The log that a database is written ahead to, as a file that can be asked to be on its disk. */
export interface LogFile {
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
export function logFileOf(databasePath: string): LogFile {
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
