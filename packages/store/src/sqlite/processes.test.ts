import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, it, test } from "vitest";
import { joinProcesses, NoLocksError, shareAmongProcesses } from "./processes.ts";

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "plasm-processes-"));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

/** Another process on the directory, and its id. */
async function another() {
  const module = new URL("processes.ts", import.meta.url).href;
  const script = `import { joinProcesses } from ${JSON.stringify(module)};
    console.log(joinProcesses(process.argv[1]).own); setInterval(() => undefined, 1000);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script, dataDir], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [text] = (await once(child.stdout, "data")) as [Buffer];
  return { child, id: String(text).trim() };
}

test("18.10 a process is gone when the system says so, not before, however it ended", async () => {
  const here = joinProcesses(dataDir);
  const { child, id } = await another();
  expect(here.isGone(id)).toBe(false);
  child.kill("SIGSTOP");
  expect(here.isGone(id)).toBe(false);
  child.kill("SIGKILL");
  await once(child, "exit");
  expect(here.isGone(id)).toBe(true);
  expect(here.isGone(id)).toBe(true);
  expect(readdirSync(join(dataDir, "processes"))).toEqual([here.own]);
  here.close();
  expect(readdirSync(join(dataDir, "processes"))).toEqual([]);
});

test("18.10 of itself, and of what is no process of a directory, it is not said", () => {
  const here = joinProcesses(dataDir);
  for (const id of [here.own, "", "x", "../plasm.db"]) expect(here.isGone(id)).toBe(false);
  here.close();
});

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
