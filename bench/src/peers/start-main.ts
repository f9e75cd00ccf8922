import { servedHere } from "./serve-side.ts";
import { freshMemory, type Side } from "./side.ts";
import { sideProcess } from "./side-process.ts";

/** What a process says that has started one side, when its first row is there. */
export interface Started {
  /** milliseconds since the process began */
  readonly first_row_ms: number;
  /** resident memory of the process then, its client's part included */
  readonly rss_mb: number;
}

const { side: name, documents, world } = sideProcess();

/** Loads what this side needs, and no other side's packages. */
async function open(): Promise<Side> {
  const peer = await servedHere(name, world, documents);
  if (name === "plasm") return (await import("./plasm-side.ts")).plasmSide(world, peer);
  if (name === "codemode") {
    return (await import("./codemode-side.ts")).codemodeSide(world, documents, "lean", peer);
  }
  const { restSide } = await import("./rest-side.ts");
  return restSide(world, (await import("./fastmcp-tools.ts")).fastmcpTools(documents, peer));
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
