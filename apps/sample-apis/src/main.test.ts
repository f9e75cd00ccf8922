import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { QuayData } from "./quay/data.ts";
import { makeTemporaryDirectory, removeDirectory, send } from "./testing/start-for-test.ts";

const main = fileURLToPath(new URL("main.ts", import.meta.url));

let dataDir = "";
const children: ChildProcess[] = [];
beforeEach(async () => {
  dataDir = await makeTemporaryDirectory();
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  await removeDirectory(dataDir);
});

interface Run {
  readonly child: ChildProcess;
  readonly output: () => { readonly stdout: string; readonly stderr: string };
  readonly ended: Promise<number | null>;
}

const run = (...args: readonly string[]): Run => {
  const child = spawn(process.execPath, [main, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  children.push(child);
  const text = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => (text.stdout += chunk));
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => (text.stderr += chunk));
  const ended = once(child, "close").then(() => child.exitCode);
  return { child, output: () => ({ ...text }), ended };
};

/** Starts on ports of the system's choice and waits for the addresses. */
const start = async (): Promise<Run & { readonly quay: string; readonly yard: string }> => {
  const started = run("--data", dataDir, "--quay-port", "0", "--yard-port", "0");
  while (!started.output().stdout.includes("data ")) {
    await Promise.race([once(started.child.stdout ?? started.child, "data"), started.ended]);
    if (started.child.exitCode !== null) throw new Error(started.output().stderr);
  }
  const [, quay = "", yard = ""] =
    /^quay (\S+)\nyard (\S+)\ndata /.exec(started.output().stdout) ?? [];
  return { ...started, quay, yard };
};

test.each(["SIGINT", "SIGTERM"] as const)("%s ends it cleanly", async (signal) => {
  const started = await start();
  expect((await send("GET", `${started.quay}/boats/b1`)).status).toBe(200);
  expect((await send("GET", `${started.yard}/boats/1`)).status).toBe(200);
  started.child.kill(signal);
  expect(await started.ended).toBe(0);
  expect(started.output().stderr).toBe("");
});

test("a taken port: one line on stderr, exit code 1", async () => {
  const first = await start();
  const { port } = new URL(first.quay);
  const second = run("--data", dataDir, "--quay-port", port, "--yard-port", "0");
  expect(await second.ended).toBe(1);
  expect(second.output()).toEqual({
    stdout: "",
    stderr:
      `quay cannot listen on 127.0.0.1:${port}: the port is taken, perhaps by another npm start. ` +
      "End the program that holds it, or choose another port with --quay-port.\n",
  });
});

test.each([
  [["--quay-port", "high"], '--quay-port takes a port from 0 to 65535, not "high".\n'],
  [["--port", "1"], "Unknown option '--port'"],
])("wrong arguments %j: said, exit code 1", async (args, message) => {
  const wrong = run(...args);
  expect(await wrong.ended).toBe(1);
  expect(wrong.output().stderr).toContain(message);
});

test("killed while it writes: every answered change is kept, the file is whole", async () => {
  const started = await start();
  let answered = 0;
  const writer = (async () => {
    for (let n = 1; ; n += 1) {
      const { status } = await send("PATCH", `${started.quay}/boats/b1`, { name: `n${n}` });
      if (status === 200) answered = n;
    }
  })();
  const stopped = writer.catch(() => undefined);
  while (answered < 20) await new Promise((resolve) => setTimeout(resolve, 5));
  started.child.kill("SIGKILL");
  await stopped;

  const data = JSON.parse(await readFile(join(dataDir, "quay.json"), "utf8")) as QuayData;
  const kept = Number(data.boats.find(({ id }) => id === "b1")?.name.slice(1));
  expect(kept - answered).toBeGreaterThanOrEqual(0);
  expect(kept - answered).toBeLessThanOrEqual(1);

  const again = await start();
  expect((await send("GET", `${again.quay}/boats/b1`)).body).toMatchObject({ name: `n${kept}` });
});
