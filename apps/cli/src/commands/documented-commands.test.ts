import { spawn } from "node:child_process";
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, it } from "vitest";
import { documentedCommands } from "../testing/documented.ts";
import { pathWithPlasm } from "../testing/plasm-in-path.ts";
import { runHere } from "../testing/run-here.ts";
import { shellWords } from "../testing/shell-words.ts";
import {
  cleanUp,
  COMPILE_CACHE,
  fixture,
  temporaryDirectory,
  type Ended,
} from "../testing/spawn-plasm.ts";
import { startServer, type TestServer } from "../testing/start-server.ts";

let server: TestServer;
let path: string;
beforeAll(async () => {
  [server, path] = await Promise.all([startServer(), pathWithPlasm()]);
});
afterAll(async () => {
  await server.close();
  await cleanUp();
});

/** Where the documents play: quay behind a token, and the secrets in files. */
async function scene(): Promise<string> {
  const cwd = await temporaryDirectory();
  const quay = join(cwd, "catalogs/quay");
  await mkdir(join(cwd, "catalogs"));
  await cp(fixture("quay"), quay, { recursive: true });
  const domain = join(quay, "domain.yaml");
  const open = await readFile(domain, "utf8");
  const guarded = open.replace("scheme: none", "scheme: bearer_token, env: QUAY_TOKEN");
  await writeFile(domain, guarded);
  await writeFile(join(cwd, "quay-token.txt"), "t0ken-in-a-file\n");
  await writeFile(join(cwd, "application-key.txt"), "k3y-in-a-file\n");
  await writeFile(join(cwd, "client-secret.txt"), "cl13nt-in-a-file\n");
  await mkdir(join(cwd, ".plasm"));
  await writeFile(join(cwd, ".plasm/profile.json"), JSON.stringify({ server: server.url }));
  return cwd;
}

/** Runs a command of plasm in this process; `< FILE` is its stdin. */
async function here(line: string, cwd: string): Promise<Ended> {
  const [, command = "", file] = /^plasm (.*?)(?: < (\S+))?$/.exec(line) ?? [];
  const input = file === undefined ? "" : await readFile(join(cwd, file));
  return runHere(shellWords(command), { cwd, env: { PLASM_DATA: join(cwd, "data") }, input });
}

/** Runs a line as a shell does; a server is ended once it listens. What needs no shell is run here. */
async function shell(line: string, cwd: string): Promise<Ended> {
  if (line.startsWith("plasm ") && !line.startsWith("plasm serve")) return here(line, cwd);
  const command = line.startsWith("plasm serve") ? `exec ${line} --port 0` : line;
  const child = spawn("sh", ["-c", command], {
    cwd,
    env: { PATH: path, PLASM_DATA: join(cwd, "data"), NODE_COMPILE_CACHE: COMPILE_CACHE },
    stdio: ["ignore", "pipe", "pipe"],
  });
  child.stdout.on("data", (chunk: Buffer) => {
    if (String(chunk).includes("Ctrl-C ends it.")) child.kill("SIGTERM");
  });
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await ended, stdout, stderr };
}

it.each([
  ["credentials.md", 11],
  ["recordings.md", 3],
])(
  "the commands of docs/%s work as they stand there",
  { timeout: 240_000 },
  async (name, least) => {
    const cwd = await scene();
    const commands = await documentedCommands(name);
    expect(commands.length).toBeGreaterThanOrEqual(least);
    for (const line of commands) {
      const { code, stdout, stderr } = await shell(line, cwd);
      expect({ line, code, stderr }).toEqual({ line, code: 0, stderr: "" });
      expect(stdout + stderr).not.toMatch(/in-a-file/);
    }
  },
);
