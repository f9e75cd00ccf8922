import { statSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { setImmediate as otherWork } from "node:timers/promises";
import type { StoreSize } from "@plasm/agent-core";

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
export function prepareSpace(database: DatabaseSync): void {
  database.exec(`pragma auto_vacuum = incremental`);
  database.exec(`pragma journal_size_limit = ${LOG_BYTES}`);
}

/**
 * The same for a file that an earlier program made, if it is small: it is rewritten. A larger one goes on, and what is
 * freed in it is used again.
 */
export function adoptSpace(database: DatabaseSync): void {
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

export function databaseSize(database: DatabaseSync, path: string): StoreSize {
  const [pages, free] = [numberOf(database, "page_count"), numberOf(database, "freelist_count")];
  const log = fileSize(`${path}-wal`);
  const used = (pages - free) * numberOf(database, "page_size");
  return { used, onDisk: fileSize(path) + log };
}

/** Gives free pages back to the disk, and cuts the log. */
export async function reclaimSpace(database: DatabaseSync): Promise<void> {
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
