import { spawn, type ChildProcess, execFile, execFileSync } from "node:child_process";
import { once } from "node:events";
import { open, readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { startSampleApis, type SampleApis } from "@plasm/sample-apis";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { alone, type Alone, compileBeside } from "./testing/one-file.ts";
import { cleanUp, temporaryDirectory } from "./testing/spawn-plasm.ts";

/** How an MCP host greets a server. */
const INITIALIZE = {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "alone", version: "1" },
};

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

it("18.20 has nothing in it that few need: those who do install it beside", () => {
  const { licences } = place;
  expect(licences).toContain("── undici ");
  for (const name of ["nodemailer", "ethers", "@readme/better-ajv-errors", "pg-native"]) {
    expect(licences).not.toContain(`── ${name} `);
  }
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

describe("what the one file compiles catalogs to", () => {
  /** What a server on a data directory of its own keeps there of catalogs, once it has told its tools. */
  const keptBy = async (data: string): Promise<readonly string[]> => {
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [place.file, "serve", "--stdio", "--data", data, "--catalogs", place.catalog],
      env: env(),
    });
    const client = new Client({ name: "first", version: "1" });
    await client.connect(transport);
    expect((await client.listTools()).tools).toHaveLength(5);
    const resource = await client.readResource({ uri: "plasm://registry" });
    expect(JSON.stringify(resource)).toContain("quay");
    await client.close();
    return readdir(join(data, "compiled")).catch(() => []);
  };

  it("is kept with its data, and not where its build left that beside it (docs/adr/0070)", async () => {
    expect(await keptBy(join(place.directory, "before"))).toEqual([
      expect.stringMatching(/^quay@/),
    ]);
    await compileBeside(place.file, place.catalog);
    const [name = ""] = await readdir(join(place.directory, "compiled"));
    expect(name).toMatch(/^quay@/);
    // It may be run by others than who built it.
    expect((await stat(join(place.directory, "compiled", name))).mode & 0o777).toBe(0o644);
    expect(await keptBy(join(place.directory, "after"))).toEqual([]);
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

  it("is kept of what a start over stdio asks for, which is none of its parts", async () => {
    const caches = join(place.directory, "caches-of-a-start");
    const opening = [
      { id: 1, method: "initialize", params: INITIALIZE },
      { method: "notifications/initialized" },
      { id: 2, method: "tools/list" },
    ];
    const lines = opening.map((each) => `${JSON.stringify({ jsonrpc: "2.0", ...each })}\n`);
    const said = execFileSync(process.execPath, serve("--stdio"), {
      env: { ...env(), XDG_CACHE_HOME: caches },
      input: lines.join(""),
      encoding: "utf8",
    });
    expect(said).toContain("plasm_context");
    const names = await readdir(join(caches, "plasm/compiled"));
    expect(names).toEqual([expect.stringMatching(/^plasm-serve-/)]);
  });

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
