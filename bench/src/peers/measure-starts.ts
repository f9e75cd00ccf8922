import { readFileSync } from "node:fs";
import { codemodeSide } from "./codemode-side.ts";
import { fastmcpTools } from "./fastmcp-tools.ts";
import { connectPeer, type McpPeer } from "./mcp-side.ts";
import { median } from "./median.ts";
import type { PeerDocuments } from "./document.ts";
import { peerDocuments } from "./peer-documents.ts";
import { type PeersWorld, startPeersWorld } from "./peers-world.ts";
import { plasmSide } from "./plasm-side.ts";
import { restSide } from "./rest-side.ts";
import { SERVED_SIDES, type ServedSide } from "./serve-side.ts";
import { launchOf, stdioOf } from "./side-process.ts";
import { freshMemory, type Side } from "./side.ts";
import { ONE_REQUEST } from "./timed-tasks.ts";

/** How a server of one side starts, and what it then holds. */
export interface SideStart {
  readonly side: string;
  /** milliseconds since its process was started */
  readonly first_row_ms: number;
  /** resident memory of the process then */
  readonly rss_mb: number;
  /** such processes in 1 GB: sessions of a host that starts a server for each */
  readonly per_gb: number;
}

type Started = Pick<SideStart, "first_row_ms" | "rss_mb">;

/** Resident memory of a process, as Linux tells it. */
const rssOf = (pid: number): number =>
  Number(/^VmRSS:\s*(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1_000;

type OpenSide = (world: PeersWorld, peer: McpPeer, documents: PeerDocuments) => Side;

/** The client's part of each side, which is loaded before its server is started. */
const CLIENTS: Readonly<Record<ServedSide, OpenSide>> = {
  plasm: plasmSide,
  codemode: (world, peer, documents) => codemodeSide(world, documents, "lean", peer),
  fastmcp: (world, peer, documents) => restSide(world, fastmcpTools(documents, peer)),
};

/** Starts a server as a host does, asks it for a row, and ends it. */
async function startOf(
  world: PeersWorld,
  name: ServedSide,
  documents: PeerDocuments,
): Promise<Started> {
  const transport = stdioOf(await launchOf(name, world, documents));
  const began = performance.now();
  const side = CLIENTS[name](world, await connectPeer(transport), documents);
  try {
    await side.play(ONE_REQUEST, freshMemory("start"));
    const first_row_ms = performance.now() - began;
    return { first_row_ms, rss_mb: rssOf(transport.pid ?? 0) };
  } finally {
    await side.close();
  }
}

/** Starts each side so many times, in turns, from nothing to its first row; once more before, for what each keeps. */
export async function measureStarts(rounds: number): Promise<readonly SideStart[]> {
  const world = await startPeersWorld();
  // All operations that Plasm's catalogs have.
  const { github, quay } = peerDocuments();
  const documents = { github, quay, whole: github };
  try {
    const all = new Map(SERVED_SIDES.map((side) => [side, [] as Started[]]));
    for (let round = -1; round < rounds; round += 1) {
      for (const [side, starts] of all) {
        const started = await startOf(world, side, documents);
        if (round >= 0) starts.push(started);
      }
    }
    return [...all].map(([side, starts]) => {
      const rss = median(starts.map(({ rss_mb }) => rss_mb));
      const first = median(starts.map(({ first_row_ms }) => first_row_ms));
      return { side, first_row_ms: first, rss_mb: rss, per_gb: Math.floor(1_000 / rss) };
    });
  } finally {
    await world.close();
  }
}

/** Starts as lines a reader compares at a glance. */
export const startTable = (starts: readonly SideStart[]): string =>
  starts
    .map(({ side, first_row_ms, rss_mb, per_gb }) => {
      return `${first_row_ms.toFixed(0).padStart(7)} ms to the first row, ${rss_mb.toFixed(0)} MB, ${per_gb} in 1 GB  ${side}`;
    })
    .join("\n");
