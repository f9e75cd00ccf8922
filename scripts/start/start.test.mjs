import { spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { tasks } from "../boot/tasks.mjs";
import { root } from "../boot/versions.mjs";

let directory = "";
const children = new Set();

beforeEach(() => void (directory = mkdtempSync(join(tmpdir(), "plasm-start-"))));
afterEach(() => {
  for (const child of children) child.kill("SIGKILL");
  children.clear();
  rmSync(directory, { recursive: true });
});

/** `npm start` after the build, on ports that the system chooses. */
const start = (...args) => {
  const ports = ["--port=0", "--quay-port=0", "--yard-port=0"];
  const data = `--data=${join(directory, "data")}`;
  const [, ...words] = tasks.start.run;
  const child = spawn(process.execPath, [...words, data, ...ports, ...args], {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
  });
  children.add(child);
  const out = { stdout: "", stderr: "" };
  for (const stream of ["stdout", "stderr"]) {
    child[stream].setEncoding("utf8").on("data", (text) => (out[stream] += text));
  }
  const ended = new Promise((resolve) => {
    child.on("close", (code) => {
      children.delete(child);
      resolve({ code, ...out });
    });
  });
  const started = new Promise((resolve, reject) => {
    child.stdout.on("data", () => out.stdout.includes("Ctrl-C ends it.") && resolve(out));
    void ended.then((end) => reject(new Error(`ended with ${end.code}: ${end.stderr}`)));
  });
  started.catch(() => undefined);
  return { child, ended, started };
};

/** PATH with a curl on it, ours where the machine has none. */
const pathWithCurl = () => {
  if (spawnSync("curl", ["--version"]).status === 0) return process.env.PATH;
  const bin = join(directory, "bin");
  mkdirSync(bin);
  copyFileSync(join(root, "scripts/start/curl-shim.mjs"), join(bin, "curl"));
  chmodSync(join(bin, "curl"), 0o755);
  return [bin, process.env.PATH].join(delimiter);
};

const pasted = (message) => {
  const lines = message.slice(message.indexOf("\nS=") + 1).split("\n");
  return lines.slice(0, lines.indexOf("")).join("\n");
};

const runInShell = (script, env) =>
  new Promise((resolve) => {
    const shell = spawn("sh", ["-c", script], { env: { ...process.env, ...env } });
    let text = "";
    shell.stdout.setEncoding("utf8").on("data", (chunk) => (text += chunk));
    shell.on("close", () => resolve(text));
  });

test("starts, tells how, and the printed session prints a table and rows; ends with all", async () => {
  const { child, started, ended } = start();
  const { stdout, stderr } = await started;
  expect(stderr).toBe("");
  const lines = stdout.trimEnd().split("\n");
  expect(lines.length).toBeLessThanOrEqual(25);
  expect(stdout).toContain("Catalogs: quay, yard");
  const text = await runInShell(pasted(stdout), { PATH: pathWithCurl() });
  expect(text).toContain("quay: Boat");
  expect(text).toContain("Boat · 5 rows");
  expect(text).toContain("Sea Star");
  child.kill("SIGINT");
  expect(await ended).toMatchObject({ code: 0 });
  const quay = /quay (http:\S+)/.exec(stdout)?.[1];
  await expect(fetch(`${quay}/boats`)).rejects.toThrow();
}, 60_000);

test("a second start finds the data of the first", async () => {
  const session = async (...ports) => {
    const { child, started, ended } = start(...ports);
    const { stdout } = await started;
    const url = /HTTP (http:\S+)/.exec(stdout)?.[1];
    const response = await fetch(`${url}/execute`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ seeds: [{ api: "quay", entity: "Boat" }] }),
      redirect: "manual",
    });
    child.kill("SIGTERM");
    await ended;
    const [, quay, yard] = /quay http:\S+:(\d+) · yard http:\S+:(\d+)/.exec(stdout);
    const samePorts = [`--quay-port=${quay}`, `--yard-port=${yard}`];
    return { location: response.headers.get("location"), samePorts };
  };
  const first = await session();
  expect(first.location).toMatch(/^\/execute\//);
  // The same place of an API is part of what a session is; another one would be another session.
  const second = await session(...first.samePorts);
  expect(second.location).toBe(first.location);
}, 60_000);

test("a sample port that another program holds: one message, exit code 1", async () => {
  const other = createServer();
  await new Promise((resolve) => other.listen(0, "127.0.0.1", resolve));
  const { port } = other.address();
  const { code, stdout, stderr } = await start(`--quay-port=${port}`).ended;
  other.close();
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr.trimEnd().split("\n")).toHaveLength(1);
  expect(stderr).toContain(`quay cannot listen on 127.0.0.1:${port}`);
  expect(stderr).toContain("--quay-port");
}, 60_000);

test("calls are logged to a file of the owner's, and what was printed last stays in sight", async () => {
  const { child, started, ended } = start();
  const { stdout } = await started;
  const log = /^Log: (.+)$/m.exec(stdout)[1];
  await runInShell(pasted(stdout), { PATH: pathWithCurl() });
  child.kill("SIGINT");
  const end = await ended;
  expect([end.stderr, end.stdout]).toEqual(["", stdout]);
  expect(readFileSync(log, "utf8")).toContain('"msg":"plasm_context"');
  expect(statSync(log).mode & 0o777).toBe(0o600);
}, 60_000);

test("with a document of one's own there are no sample APIs", async () => {
  const document = join(directory, "api.json");
  const operation = { operationId: "listBirds", responses: { 200: { description: "birds" } } };
  const openapi = {
    openapi: "3.0.3",
    info: { title: "Birds", version: "1" },
    servers: [{ url: "http://127.0.0.1:9" }],
    paths: { "/birds": { get: operation } },
  };
  writeFileSync(document, JSON.stringify(openapi));
  const { child, started, ended } = start("--api", document, "--id", "birds");
  const { stdout } = await started;
  expect(stdout).toMatch(/^Catalogs: (?!.*(quay|yard)).*birds$/m);
  expect(stdout).not.toContain("Sample APIs");
  child.kill("SIGINT");
  await ended;
}, 60_000);

test("a data directory that cannot be written is named, with what to do", async () => {
  const file = join(directory, "file");
  writeFileSync(file, "");
  const { code, stderr } = await start(`--data=${join(file, "below")}`).ended;
  expect(code).toBe(1);
  expect(stderr).toContain(`The data directory ${join(file, "below")} cannot be used`);
  expect(stderr).toContain("--data DIR");
}, 60_000);
