import { readFileSync } from "node:fs";
import { codemodeSide } from "./codemode-side.ts";
import { fastmcpTools } from "./fastmcp-tools.ts";
import { connectPeer } from "./mcp-side.ts";
import type { PeerDocuments } from "./document.ts";
import { peerDocuments } from "./peer-documents.ts";
import { type PeersWorld, startPeersWorld } from "./peers-world.ts";
import { plasmSide } from "./plasm-side.ts";
import { restSide } from "./rest-side.ts";
import { SERVED_SIDES, type ServedSide } from "./serve-side.ts";
import { launchOf, stdioOf } from "./side-process.ts";
import { freshMemory } from "./side.ts";
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

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** Resident memory of a process, as Linux tells it. */
const rssOf = (pid: number): number =>
  Number(/^VmRSS:\s*(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1_000;

/** All operations that Plasm's catalogs have. */
const { github, quay } = peerDocuments();
const DOCUMENTS: PeerDocuments = { github, quay, whole: github };

/** The client's part of each side, which is loaded before its server is started. */
const CLIENTS = {
  plasm: plasmSide,
  codemode: (world, peer) => codemodeSide(world, DOCUMENTS, "lean", peer),
  fastmcp: (world, peer) => restSide(world, fastmcpTools(DOCUMENTS, peer)),
} as const satisfies Readonly<Record<ServedSide, typeof plasmSide>>;

/** Starts a server as a host does, asks it for a row, and ends it. */
async function startOf(world: PeersWorld, name: ServedSide): Promise<Started> {
  const transport = stdioOf(await launchOf(name, world, DOCUMENTS));
  const began = performance.now();
  const side = CLIENTS[name](world, await connectPeer(transport));
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
  try {
    const all = new Map(SERVED_SIDES.map((side) => [side, [] as Started[]]));
    for (let round = -1; round < rounds; round += 1) {
      for (const [side, starts] of all) {
        const started = await startOf(world, side);
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
