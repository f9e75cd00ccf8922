import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { joinProcesses } from "./processes.ts";

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
