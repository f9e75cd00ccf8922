import { spawn, type ChildProcess, execFile } from "node:child_process";
import { once } from "node:events";
import { open, readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { startSampleApis, type SampleApis } from "@plasm/sample-apis";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { alone, type Alone } from "./testing/one-file.ts";
import { cleanUp, temporaryDirectory } from "./testing/spawn-plasm.ts";

const PROGRAM = "Boat{state=moored}.sort(id).limit(2)[id, name]";

let place: Alone;
let apis: SampleApis;
const servers: ChildProcess[] = [];

beforeAll(async () => {
  place = await alone();
  const dataDir = join(await temporaryDirectory(), "apis");
  apis = await startSampleApis({ dataDir, ports: { quay: 0, yard: 0 } });
});

afterAll(async () => {
  for (const server of servers) server.kill("SIGKILL");
  await apis.close();
  await cleanUp();
});

const serve = (...more: readonly string[]): string[] => {
  const { file, directory, catalog } = place;
  return [file, "serve", "--data", join(directory, "data"), "--catalogs", catalog, ...more];
};

const env = () => ({ ...place.env, PLASM_BACKEND_QUAY: apis.quay.url });

const run = promisify(execFile);
const version = async (): Promise<string> =>
  (await run(process.execPath, [place.file, "--version"], { env: env() })).stdout;

/** The address it prints once it listens. */
const addressOf = (server: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    let said = "";
    server.stdout?.setEncoding("utf8").on("data", (text: string) => {
      said += text;
      const [, url] = /HTTP (http:\S+)/.exec(said) ?? [];
      if (url !== undefined) resolve(url);
    });
    server.once("exit", () => reject(new Error(`it ended before it listened: ${said}`)));
  });

const firstText = ({ content }: Awaited<ReturnType<Client["callTool"]>>): string =>
  content[0]?.type === "text" ? content[0].text : "";

/** What a session over MCP, on this transport, is told of two boats. */
async function boatsOver(client: Client): Promise<string> {
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toContain("plasm_context");
  const seeds = [{ api: "quay", entity: "Boat" }];
  await client.callTool({ name: "plasm_context", arguments: { intent: "alone", seeds } });
  const args = { logical_session_ref: "s0", program: PROGRAM, wait: true };
  return firstText(await client.callTool({ name: "plasm_run", arguments: args }));
}

describe("plasm is one file that needs nothing beside it but Node (SURF-20)", () => {
  it("completes a session over MCP on stdio", async () => {
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: serve("--stdio"),
      env: env(),
      cwd: place.directory,
    });
    const client = new Client({ name: "alone", version: "1" });
    await client.connect(transport);
    expect(await boatsOver(client)).toMatch(/id\tname\n\S+\t.+\n\S+\t/);
    await client.close();
  });

  it("completes a session over HTTP", async () => {
    const args = serve("--port", "0");
    const server = spawn(process.execPath, args, { env: env(), cwd: place.directory });
    servers.push(server);
    const url = await addressOf(server);
    const opened = await fetch(`${url}/execute`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ seeds: [{ api: "quay", entity: "Boat" }] }),
      redirect: "manual",
    });
    const session = opened.headers.get("location") ?? "";
    const answer = await fetch(new URL(session, url), {
      method: "POST",
      headers: { "content-type": "text/plain", accept: "text/plain" },
      body: PROGRAM,
    });
    expect(answer.status).toBe(200);
    expect(await answer.text()).toMatch(/id\tname\n\S+\t.+\n\S+\t/);
    const ended = once(server, "exit");
    server.kill("SIGTERM");
    expect(await ended).toEqual([0, null]);
  });
});

describe("a Node that is too old is told so, before anything that it lacks is looked for", () => {
  /** What the file says where Node calls itself so. */
  const saidBy = async (given: string): Promise<string> => {
    const script = `Object.defineProperty(process, "version", { value: "${given}" })`;
    const disguise = `data:text/javascript,${encodeURIComponent(script)}`;
    const args = ["--import", disguise, place.file, "--version"];
    const { stdout, stderr } = await run(process.execPath, args, { env: env() }).catch(
      (failed: unknown) => failed as { readonly stdout: string; readonly stderr: string },
    );
    return stdout + stderr;
  };

  it.each(["v18.20.4", "v22.18.0", "v23.11.1"])("%s is refused", async (version) => {
    expect(await saidBy(version)).toBe(
      `plasm: needs Node 24 or later, or 22 from 22.19, and ${process.execPath} is ${version}. ` +
        "Get one: https://nodejs.org/download\n",
    );
  });

  it("the oldest that it runs on is not", async () => {
    expect(await saidBy("v22.19.0")).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});

describe("what Node compiles of the one file", () => {
  const kept = async () => (await readdir(place.compiled)).filter((name) => /-other-/.test(name));

  it("is kept with the user's caches, for nobody else to read or change", async () => {
    expect(await version()).toMatch(/^\d+\.\d+\.\d+\n$/);
    const [name = "", ...others] = await kept();
    expect(others).toEqual([]);
    expect((await stat(place.compiled)).mode & 0o777).toBe(0o700);
    expect((await stat(join(place.compiled, name))).mode & 0o777).toBe(0o600);
  });

  it("is compiled anew where it is damaged, and runs all the same", async () => {
    const told = await version();
    const [name = ""] = await kept();
    const path = join(place.compiled, name);
    const whole = await stat(path);
    const file = await open(path, "r+");
    await file.write(Buffer.alloc(64, 0xff), 0, 64, Math.floor(whole.size / 2));
    await file.close();
    const damaged = await readFile(path);
    expect(await version()).toBe(told);
    expect((await readFile(path)).equals(damaged)).toBe(false);
  });

  it("is not kept where that is turned off", async () => {
    const other = join(place.directory, "other-caches");
    const off = { ...env(), XDG_CACHE_HOME: other, NODE_DISABLE_COMPILE_CACHE: "1" };
    await run(process.execPath, [place.file, "--version"], { env: off });
    await expect(readdir(other)).rejects.toThrow("ENOENT");
  });
});
