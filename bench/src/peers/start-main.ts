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
