import { spawn, type ChildProcess } from "node:child_process";
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { startSampleApis, type SampleApis } from "@plasm/sample-apis";
import { plasmServe } from "../harness/plasm-command.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const QUAY = fileURLToPath(new URL("../../../packages/testkit/catalogs/quay", import.meta.url));

const require = createRequire(import.meta.url);

/** The manifests of servers as npm has them. */
const FILESYSTEM = require.resolve("@modelcontextprotocol/server-filesystem/package.json");
const MEMORY = require.resolve("@modelcontextprotocol/server-memory/package.json");
const EVERYTHING = require.resolve("@modelcontextprotocol/server-everything/package.json");

/** The command that starts one of them. */
function command(manifest: string, ...args: readonly string[]): string {
  const words = [process.execPath, join(dirname(manifest), "dist", "index.js"), ...args];
  return words.map((word) => `"${word}"`).join(" ");
}

let place: string;
let apis: SampleApis;
let client: Client;
let servers: readonly string[];
const secrets = { LAMP_SECRET: "l4mp-s3cret", MEMORY_FILE_PATH: "" };

/** A client of `plasm serve --stdio` with these sources. */
async function connect(sources: readonly string[]): Promise<Client> {
  const { command, args, env } = plasmServe(
    {
      dataDir: join(place, "data"),
      catalogs: [QUAY],
      env: { PLASM_BACKEND_QUAY: apis.quay.url, ...secrets },
      args: sources,
    },
    ["--stdio"],
  );
  const transport = new StdioClientTransport({ command, args: [...args], env, stderr: "pipe" });
  let said = "";
  transport.stderr?.on("data", (chunk: Buffer) => (said += chunk.toString()));
  const connected = new Client({ name: "test", version: "1" });
  await connected.connect(transport).catch((thrown: unknown) => {
    throw new Error(`plasm did not start: ${said}`, { cause: thrown });
  });
  return connected;
}

const textOf = async (answer: ReturnType<Client["callTool"]>): Promise<string> =>
  (await answer).content.map((block) => (block.type === "text" ? block.text : "")).join("\n");

const seed = (api: string, entity: string) => ({ api, entity });

async function open(on: Client): Promise<string> {
  const seeds = [
    seed("quay", "Boat"),
    seed("files", "Files"),
    seed("memory", "Memory"),
    seed("memory", "ReadGraph"),
    seed("everything", "Everything"),
    seed("everything", "GetStructuredContent"),
  ];
  const args = { intent: "tools and boats", seeds };
  return textOf(on.callTool({ name: "plasm_context", arguments: args }));
}

const plan = (on: Client, program: string): Promise<string> =>
  textOf(on.callTool({ name: "plasm", arguments: { logical_session_ref: "s0", program } }));

/** Runs a program, or a plan by its ref, to its end. */
async function run(on: Client, more: object, session = "s0"): Promise<string> {
  const call = (args: object): Promise<string> =>
    textOf(
      on.callTool({ name: "plasm_run", arguments: { logical_session_ref: session, ...args } }),
    );
  let said = await call(more);
  for (let found = GOES_ON.exec(said); found !== null; found = GOES_ON.exec(said))
    said = await call({ program: `wait(${found[1] ?? found[2] ?? ""})` });
  return said;
}

/** A run that is not over: its handle, or how far it is. */
const GOES_ON = /^(?:wait\((\w+)\)|(\w+_o\d+) ~ )/;

beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), "plasm-e2e-mcp-"));
  await mkdir(join(place, "files"));
  await writeFile(join(place, "files", "a.txt"), "a lamp at the quay\n");
  secrets.MEMORY_FILE_PATH = join(place, "memory.jsonl");
  apis = await startSampleApis({ dataDir: join(place, "apis"), ports: { quay: 0, yard: 0 } });
  const memory = ["--mcp", command(MEMORY), "--id", "memory"];
  servers = [
    "--mcp",
    command(FILESYSTEM, join(place, "files")),
    "--id",
    "files",
    ...memory,
    "--pass-env",
    "MEMORY_FILE_PATH",
    "--mcp",
    command(EVERYTHING),
    "--id",
    "everything",
  ];
  client = await connect(servers);
}, 60_000);

afterAll(async () => {
  await client.close();
  await apis.close();
  await rm(place, { recursive: true, force: true });
});

describe("MCP servers as sources, three from npm (ADR 0131)", () => {
  it("their tools are taught as reads and effects, with what they take", async () => {
    const table = await open(client);
    expect(table).toMatch(/Files\.read-text-file\([^\t]*\)\t[^\n]* · opt/);
    expect(table).toMatch(
      /Files\.write-file\([^\t]*\)\t[^\n]* · Create a new file or completely overwrite/,
    );
    expect(table).toMatch(/location\t"New York"\|Chicago\|"Los Angeles"/);
    expect(table).toMatch(/\.create-entities\([^\t]*\)\tCreateEntities/);
  });

  it("reads run at once: words, and rows by their schema", async () => {
    const path = join(place, "files", "a.txt");
    expect(await run(client, { program: `Files.read-text-file(path="${path}")` })).toContain(
      "a lamp at the quay",
    );
    expect(await run(client, { program: 'GetStructuredContent{location="New York"}' })).toMatch(
      /conditions\thumidity\ttemperature\nCloudy\t82\t33/,
    );
    expect(await run(client, { program: "Everything.get-sum(a=1, b=2)" })).toContain(
      "The sum of 1 and 2 is 3.",
    );
  });

  it("one plan spans an API and an MCP server; its effect runs once, by its ref", async () => {
    const path = join(place, "files", "boat.txt");
    const program = [
      "b = Boat{state=moored}.limit(1)[id, name]",
      `b => Files.write-file(path="${path}", content=_.name)`,
    ].join("\n");
    const planned = await plan(client, program);
    const [ref = ""] = /pc\d+/.exec(planned) ?? [];
    await expect(readFile(path)).rejects.toThrow("ENOENT");
    const done = await run(client, { plan_commit_ref: ref });
    expect(done).toMatch(/done write-file files\.Files/);
    const name = await readFile(path, "utf8");
    expect(name).not.toBe("");
    await writeFile(path, "changed since");
    expect(await run(client, { plan_commit_ref: ref })).toMatch(/done write-file files\.Files/);
    expect(await readFile(path, "utf8")).toBe("changed since");
  });

  it("nested arguments and typed answers of effects go through", async () => {
    const entity = '{name: "lamp", entityType: "thing", observations: ["lit"]}';
    const program = `Memory.create-entities(entities=[${entity}])`;
    const [ref = ""] = /pc\d+/.exec(await plan(client, program)) ?? [];
    expect(await run(client, { plan_commit_ref: ref })).toMatch(
      /done create-entities memory\.Memory/,
    );
    expect(await run(client, { program: "ReadGraph" })).toContain('"name":"lamp"');
    expect(await readFile(secrets.MEMORY_FILE_PATH, "utf8")).toContain("lamp");
  });

  it("a tool that says it failed is a failure with its own words", async () => {
    const said = await run(client, { program: 'Files.read-text-file(path="/etc/hosts")' });
    expect(said).toContain("Access denied - path outside allowed directories");
  });

  it("servers have no variable that was not named", async () => {
    const said = await run(client, { program: "Everything.get-env()" });
    expect(said).toContain("PATH");
    expect(said).not.toMatch(/LAMP_SECRET|l4mp-s3cret|MEMORY_FILE_PATH|PLASM_/);
  });

  it("starts with the tools that are known where a server does not answer, and says so", async () => {
    await client.close();
    const [, files = "", ...rest] = servers;
    const moved = join(place, "files-moved");
    await rename(join(place, "files"), moved);
    const again = await connect(["--mcp", files, ...rest]);
    await open(again);
    const path = join(place, "files", "a.txt");
    const said = await run(again, { program: `Files.read-text-file(path="${path}")` });
    expect(said).toMatch(/the MCP server files does not answer/);
    // It comes back when the server does.
    await rename(moved, join(place, "files"));
    const back = await run(again, { program: `Files.read-text-file(path="${path}")` });
    expect(back).toContain("a lamp at the quay");
    await again.close();
  });
});

describe("SURF-78 lists of tools by their output schemas", () => {
  const ODD = fileURLToPath(
    new URL("../../../packages/transport-mcp/src/testing/odd-server.mjs", import.meta.url),
  );
  let on: Client;
  let [session, table] = ["", ""];
  beforeAll(async () => {
    const started = `"${process.execPath}" "${ODD}" "${join(place, "calls")}"`;
    on = await connect(["--mcp", started, "--id", "odd"]);
    const seeds = [seed("odd", "ListBoats"), seed("odd", "FindOwners")];
    const args = { intent: "boats and owners", seeds };
    table = await textOf(on.callTool({ name: "plasm_context", arguments: args }));
    [, session = ""] = /^logical_session_ref (\w+)/.exec(table) ?? [];
  });
  afterAll(() => on.close());

  it("are taught with types that may be null, and without what pages take", () => {
    expect(table).toMatch(/^length\tnum/m);
    expect(table).not.toContain("cursor");
  });

  it("are read page by page to their end, with types that may be null", async () => {
    const said = await run(
      on,
      { program: "ListBoats.filter{length >= 0}.sort(length desc)" },
      session,
    );
    expect(said).toContain("\n6\tboat 6\n4\tboat 4\n2\tboat 2\n0\tboat 0\n");
    expect(await run(on, { program: "ListBoats.aggregate(n=count)" }, session)).toMatch(/\n7\n/);
  });

  it("say that more follow where no argument reads it", async () => {
    expect(await run(on, { program: "FindOwners" }, session)).toMatch(
      /partial \(rows_unread[^]*Alma/,
    );
  });
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe("an MCP server over HTTP", () => {
  let child: ChildProcess;
  afterAll(() => child.kill());

  it("is named by its address", async () => {
    const [node = "", script = ""] = command(EVERYTHING)
      .split('" "')
      .map((word) => word.replaceAll('"', ""));
    const port = await freePort();
    child = spawn(node, [script, "streamableHttp"], {
      env: { PATH: process.env["PATH"] ?? "", PORT: String(port) },
      stdio: ["ignore", "pipe", "pipe"],
    });
    await new Promise<void>((resolve) => {
      const look = (chunk: Buffer): void => {
        if (/listening|running/i.test(chunk.toString())) resolve();
      };
      child.stdout?.on("data", look);
      child.stderr?.on("data", look);
    });
    const url = `http://127.0.0.1:${port}/mcp`;
    const on = await connect(["--mcp", url, "--id", "web"]);
    const seeds = [seed("web", "Web")];
    const opened = on.callTool({
      name: "plasm_context",
      arguments: { intent: "web tools", seeds },
    });
    const [, session = ""] = /^logical_session_ref (\w+)/.exec(await textOf(opened)) ?? [];
    const program = "Web.get-sum(a=2, b=3)";
    expect(await run(on, { program }, session)).toContain("is 5.");
    await on.close();
  });
});
