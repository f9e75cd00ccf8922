import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { uptime } from "node:os";
import type { DatabaseSync } from "node:sqlite";

/**
 * So many pieces of work at most are told of before the disk has them; more wait for it. A loss of power takes no
 * more of them from a process.
 */
export const MOST_UNSYNCED = 16;

/** More numbers than the processes on a directory may have told of and lost. */
const SKIPPED = 100;

const LINUX_BOOT = "/proc/sys/kernel/random/boot_id";

/** A number above 0 of this start of the machine: another one after each loss of power. Elsewhere than on Linux the time of the start, in s. */
export function bootNumber(): number {
  try {
    const id = createHash("sha256").update(readFileSync(LINUX_BOOT)).digest();
    return id.readInt32BE() & 0x7f_ff_ff_ff || 1;
  } catch {
    return Math.round(Date.now() / 1_000 - uptime());
  }
}

/** The start of the machine under which a database was opened last: its user's version; 0 under programs that told of nothing soon. */
function lastBoot(database: DatabaseSync): number {
  return Number(database.prepare("pragma user_version").get()?.["user_version"]);
}

/**
 * Where the machine was started since the database was opened last, has counters go past the numbers that may have been
 * told of and lost with the power: none is given twice (SESS-30). Nothing is written but after a start of the machine.
 */
export function skipLostNumbers(database: DatabaseSync, boot = bootNumber()): void {
  if (lastBoot(database) === boot) return;
  database.exec("begin immediate");
  try {
    const last = lastBoot(database);
    if (last !== 0 && last !== boot) {
      const past = `update counters set next = next + ${SKIPPED} where kind in ('r', 'pg', 'pc')`;
      database.exec(past);
    }
    database.exec(`pragma user_version = ${boot}`);
    database.exec("commit");
  } catch (thrown) {
    database.exec("rollback");
    throw thrown;
  }
}
