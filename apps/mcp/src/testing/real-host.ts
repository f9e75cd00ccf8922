import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fixtureCatalogDir } from "@plasm/testkit";
import { createMcpHandler, type McpHandler } from "../http/create-mcp-handler.ts";
import { type Host, openHost } from "@plasm/host";

export interface RealHost extends Host {
  readonly handler: McpHandler;
}

const open = new Set<Host>();
const directories = new Set<string>();

/** A data directory that is gone after the test. */
export async function temporaryDirectory(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "plasm-mcp-"));
  directories.add(path);
  return path;
}

/** Everything real but a socket: the engine on a store of its own, with quay and yard. */
export async function realHost(
  dataDir: string,
  env: Readonly<Record<string, string>> = {},
  consoleDirectory?: string,
  catalogs: readonly string[] = [fixtureCatalogDir("quay"), fixtureCatalogDir("yard")],
): Promise<RealHost> {
  const files = consoleDirectory === undefined ? {} : { consoleDirectory };
  const host = await openHost({ dataDir, catalogs, env, ...files });
  open.add(host);
  const { engine, connections, tasks, structured, card } = host;
  const close = async (): Promise<void> => {
    open.delete(host);
    await host.close();
  };
  const handler = createMcpHandler({ engine, connections, tasks, structured, card });
  return { ...host, close, handler };
}

/** Closes what a test left open, and removes its directories. */
export async function cleanUp(): Promise<void> {
  for (const host of open) await host.close();
  for (const path of directories) await rm(path, { recursive: true, force: true });
  open.clear();
  directories.clear();
}
