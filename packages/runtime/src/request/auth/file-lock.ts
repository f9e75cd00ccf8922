import { mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { setTimeout as wait } from "node:timers/promises";

const OWNER_FILE = 0o600;
const OWNER_DIRECTORY = 0o700;
const POLL_MS = 25;
/** SQLITE_BUSY */
const BUSY = 5;

const codeOf = (thrown: unknown, name: "code" | "errcode"): unknown =>
  typeof thrown === "object" && thrown !== null && name in thrown
    ? (thrown as Record<string, unknown>)[name]
    : undefined;

/** Makes the file unless it is there: opening it again would end the locks this process has on it. */
async function make(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: OWNER_DIRECTORY });
  try {
    await (await open(path, "wx", OWNER_FILE)).close();
  } catch (thrown) {
    if (codeOf(thrown, "code") !== "EEXIST") throw thrown;
  }
}

/** The lock as an open transaction of a database in the file, or null while another has it. */
async function take(path: string): Promise<DatabaseSync | null> {
  const { DatabaseSync } = await import("node:sqlite");
  const database = new DatabaseSync(path);
  try {
    database.exec("pragma busy_timeout = 0; pragma journal_mode = memory; begin exclusive");
    return database;
  } catch (thrown) {
    database.close();
    if (codeOf(thrown, "errcode") === BUSY) return null;
    throw thrown;
  }
}

/**
 * Does work while nobody else holds the lock of a file, in this process or another; null if it is not to
 * be had within `patienceMs`. The system itself ends the lock of a process that dies, so that none is
 * ever left behind; the file stays. Rejects as the file system or the work does.
 */
export async function withFileLock<T>(
  path: string,
  patienceMs: number,
  work: () => Promise<T>,
): Promise<T | null> {
  await make(path);
  const latest = performance.now() + patienceMs;
  for (;;) {
    const lock = await take(path);
    if (lock !== null) {
      try {
        return await work();
      } finally {
        lock.close();
      }
    }
    if (performance.now() >= latest) return null;
    await wait(POLL_MS);
  }
}
