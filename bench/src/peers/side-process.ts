import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { GITHUB } from "@plasm/e2e/github-document";
import { fixtureCatalogDir } from "@plasm/testkit";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { buildShipped, shippedIn } from "../shipped.ts";
import { connectPeer, type McpPeer } from "./mcp-side.ts";
import type { PeerDocuments } from "./document.ts";
import { peerDocuments } from "./peer-documents.ts";
import type { PeersWorld } from "./peers-world.ts";
import type { ServedSide } from "./serve-side.ts";
import type { Config } from "./told-side.ts";

type Main = "sessions-main.ts" | "stdio-main.ts";

/** The arguments of `node main.ts SIDE FILE`, whose file is written. */
async function argumentsFor(
  world: PeersWorld,
  main: Main,
  side: ServedSide,
  documents: PeerDocuments,
): Promise<string[]> {
  const dir = await mkdtemp(join(world.dir, `${side}-`));
  const config: Config = {
    github: world.github.url,
    quay: world.apis.quay.url,
    token: world.token,
    dir,
    documents,
  };
  const file = join(dir, "config.json");
  await writeFile(file, JSON.stringify(config));
  const path = fileURLToPath(new URL(main, import.meta.url));
  return ["--expose-gc", "--conditions=@plasm/source", path, side, file];
}

/** Runs `main.ts SIDE FILE` to its end, and gives what it said last. */
export async function inProcess<Said>(
  world: PeersWorld,
  main: Main,
  side: ServedSide,
): Promise<Said> {
  const { github, quay } = peerDocuments();
  const args = await argumentsFor(world, main, side, { github, quay, whole: github });
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return JSON.parse(stdout.trim().split("\n").at(-1) ?? "") as Said;
}

/** How a host starts a server. */
export interface Launch {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Plasm as it is shipped, which is built once for a world, in a new data directory. */
async function launchPlasm(world: PeersWorld): Promise<Launch> {
  const catalogs = [GITHUB, fixtureCatalogDir("quay")];
  const dist = join(world.dir, "dist");
  const file = shippedIn(dist);
  if (!existsSync(file)) buildShipped(dist, catalogs);
  const data = await mkdtemp(join(world.dir, "plasm-"));
  const named = catalogs.flatMap((directory) => ["--catalogs", directory]);
  return {
    args: [file, "serve", "--stdio", "--data", data, ...named],
    env: {
      HOME: join(world.dir, "home"),
      PLASM_BACKEND_GITHUB: world.github.url,
      GITHUB_TOKEN: world.token,
      PLASM_BACKEND_QUAY: world.apis.quay.url,
    },
  };
}

/** A side's server as a process of its own: Plasm as it is shipped, a peer as its package has it. */
export const launchOf = async (
  side: ServedSide,
  world: PeersWorld,
  documents: PeerDocuments,
): Promise<Launch> =>
  side === "plasm"
    ? launchPlasm(world)
    : { args: await argumentsFor(world, "stdio-main.ts", side, documents), env: {} };

/** The process of a server, over stdio, as hosts start servers. */
export const stdioOf = ({ args, env }: Launch): StdioClientTransport =>
  new StdioClientTransport({
    command: process.execPath,
    args: [...args],
    env: { PATH: process.env["PATH"] ?? "", ...env },
    stderr: "ignore",
  });

/** A side served by a process of its own, over stdio. */
export const servedApart = async (
  ...of: [side: ServedSide, world: PeersWorld, documents: PeerDocuments]
): Promise<McpPeer> => connectPeer(stdioOf(await launchOf(...of)));
