import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { createDatabase, runSql } from "./databases.ts";
import { startPostgres } from "./start-postgres.ts";

const gone = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
};

test("a server has databases, and is gone with its data when it is stopped", async () => {
  const server = await startPostgres();
  const one = await createDatabase(server.url);
  expect(await runSql(one.url, "create table boat (id int)", "select * from boat")).toEqual([]);
  await one.drop();
  await expect(runSql(one.url, "select 1")).rejects.toThrow("does not exist");
  expect(gone(server.pid)).toBe(false);
  await server.stop();
  expect(gone(server.pid)).toBe(true);
  expect(existsSync(server.directory)).toBe(false);
});

test("it ends when the process that started it is killed", async () => {
  const module = new URL("./start-postgres.ts", import.meta.url).href;
  const script = `
    const { startPostgres } = await import(${JSON.stringify(module)});
    const { pid, directory } = await startPostgres();
    console.log(JSON.stringify({ pid, directory }));
    setInterval(() => undefined, 1000);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  const { pid, directory } = JSON.parse(line.toString()) as { pid: number; directory: string };
  expect(gone(pid)).toBe(false);
  child.kill("SIGKILL");
  await expect.poll(() => gone(pid), { timeout: 25_000 }).toBe(true);
  await expect.poll(() => existsSync(directory), { timeout: 25_000 }).toBe(false);
}, 60_000);
