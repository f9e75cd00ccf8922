import { readFileSync } from "node:fs";
import type { PeerDocuments } from "./peer-documents.ts";
import type { PeersWorld } from "./peers-world.ts";
import { freshMemory, type Side } from "./side.ts";

/** What a process is told that starts one side: `node start-main.ts SIDE FILE`. */
export interface StartConfig {
  readonly github: string;
  readonly quay: string;
  readonly token: string;
  readonly dir: string;
  readonly documents: PeerDocuments;
}

/** What it says when its first row is there. */
export interface Started {
  /** milliseconds since the process began */
  readonly first_row_ms: number;
  /** resident memory of the process then, its client's part included */
  readonly rss_mb: number;
}

const [, , name = "", file = ""] = process.argv;
const config = JSON.parse(readFileSync(file, "utf8")) as StartConfig;

/** The servers as another process has them: where they are, and nothing to ask them. */
const world = {
  github: { url: config.github },
  apis: { quay: { url: config.quay } },
  dir: config.dir,
  token: config.token,
  requests: () => 0,
} as unknown as PeersWorld;

/** Loads what this side needs, and no other side's packages. */
async function open(): Promise<Side> {
  const { documents } = config;
  if (name === "plasm") return (await import("./plasm-side.ts")).plasmSide(world);
  if (name === "codemode") {
    return (await import("./codemode-side.ts")).codemodeSide(world, documents, "lean");
  }
  const { restSide } = await import("./rest-side.ts");
  if (name !== "fastmcp") throw new Error(`no side ${name}`);
  return restSide(world, await (await import("./fastmcp-tools.ts")).fastmcpTools(world, documents));
}

const { ONE_REQUEST } = await import("./timed-tasks.ts");
const side = await open();
await side.play(ONE_REQUEST, freshMemory("start"));
const started: Started = {
  first_row_ms: performance.now(),
  rss_mb: process.memoryUsage.rss() / 1e6,
};
process.stdout.write(`${JSON.stringify(started)}\n`);
await side.close();
process.exit(0);
