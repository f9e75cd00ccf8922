import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, it } from "vitest";
import { NoLocksError, shareAmongProcesses } from "./share-among-processes.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "plasm-locks-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

/** A database through one of SQLite's own ways to its file. */
function through<T>(vfs: string, work: (database: DatabaseSync) => T): T {
  const database = new DatabaseSync(`file:${join(directory, "plasm.db")}?vfs=${vfs}`);
  try {
    return work(database);
  } finally {
    database.close();
  }
}

it("SESS-33 is had of a file system that can lock", () => {
  through("unix", shareAmongProcesses);
  expect(through("unix", (database) => database.prepare("pragma journal_mode").get())).toEqual({
    journal_mode: "wal",
  });
});

it.each(["unix-none", "unix-dotfile"])(
  "is refused where the file system cannot lock: %s",
  (vfs) => {
    expect(() => through(vfs, shareAmongProcesses)).toThrow(NoLocksError);
    expect(() => through(vfs, shareAmongProcesses)).toThrow(
      "its file system does not let processes share a file safely (journal mode delete), as network shares and some mounts do not",
    );
  },
);

it.each([
  ["a lock that is not granted in order", 15, true],
  ["a lock that the system refuses", 10 | (15 << 8), true],
  ["shared memory that it does not lend", 10 | (21 << 8), true],
  ["a disk that cannot be read", 10 | (1 << 8), false],
  ["a full one", 13, false],
])("tells a want of locks from other failures: %s", (_, errcode, told) => {
  const failing = {
    prepare: () => {
      throw Object.assign(new Error("it failed"), { errcode });
    },
  };
  const asked = (): void => shareAmongProcesses(failing as unknown as DatabaseSync);
  expect(asked).toThrow("it failed");
  expect(isNoLocks(asked)).toBe(told);
});

function isNoLocks(work: () => void): boolean {
  try {
    work();
    return false;
  } catch (thrown) {
    return thrown instanceof NoLocksError;
  }
}
