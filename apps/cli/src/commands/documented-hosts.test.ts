import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cleanUp, fixture, plasmCommand, temporaryDirectory } from "../testing/spawn-plasm.ts";
import { startServer, type TestServer } from "../testing/start-server.ts";

/** What a host is told of a server: the union of what Claude, Cursor and VS Code take. */
interface HostEntry {
  readonly type?: "http" | "stdio";
  readonly url?: string;
  readonly command?: string;
  readonly args?: readonly string[];
}

const page = await readFile(
  new URL("../../../../docs/quickstart-agent.md", import.meta.url),
  "utf8",
);

const entries = [...page.matchAll(/^```json mcp\n([^]*?)^```$/gm)].map(([, json = ""]) => {
  const config = JSON.parse(json) as Readonly<Record<string, { readonly plasm: HostEntry }>>;
  const { plasm } = config["mcpServers"] ?? config["servers"] ?? {};
  if (plasm === undefined) throw new Error(`No server in ${json}`);
  return plasm;
});

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(async () => {
  await server.close();
  await cleanUp();
});

/** The package's command is this program, and the reader's directory of catalogs the fixtures'. */
async function stdio({ command, args = [] }: HostEntry): Promise<StdioClientTransport> {
  const [yes, name, ...rest] = args;
  expect([command, yes, name]).toEqual(["npx", "-y", "@plasm/cli"]);
  const own = rest.map((arg) => (arg === "/home/you/catalogs" ? fixture("quay") : arg));
  const data = join(await temporaryDirectory(), "data");
  return new StdioClientTransport({
    command: plasmCommand.command,
    args: [...plasmCommand.args, ...own, "--data", data],
    stderr: "ignore",
  });
}

async function transportOf(entry: HostEntry) {
  if (entry.url === undefined) return stdio(entry);
  expect(entry).toEqual({ type: "http", url: "http://127.0.0.1:3000/mcp" });
  return new StreamableHTTPClientTransport(new URL("/mcp", server.url));
}

describe("docs/quickstart-agent.md", () => {
  it("has a configuration of each kind", () => {
    expect(entries.map(({ url, command }) => url ?? command)).toEqual([
      "http://127.0.0.1:3000/mcp",
      "http://127.0.0.1:3000/mcp",
      "npx",
      "npx",
    ]);
  });

  it.each(entries)("$type $url $command: lists the tools", { timeout: 60_000 }, async (entry) => {
    const client = new Client({ name: "host", version: "1" });
    await client.connect(await transportOf(entry));
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name).toSorted()).toEqual([
      "discover_capabilities",
      "grafted_context_fetch",
      "plasm",
      "plasm_context",
      "plasm_run",
    ]);
    await client.close();
  });
});

it("the links that install it name the address that the configurations do", () => {
  const links = [...page.matchAll(/\]\((https:[^)]*[?&]config=[^)]*)\)/g)].map(
    ([, link = ""]) => link,
  );
  expect(links).toHaveLength(2);
  for (const link of links) {
    const config = new URL(link).searchParams.get("config") ?? "";
    const json = config.startsWith("{") ? config : Buffer.from(config, "base64").toString("utf8");
    expect((JSON.parse(json) as HostEntry).url).toBe("http://127.0.0.1:3000/mcp");
  }
});
