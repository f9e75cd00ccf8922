import { startPeersWorld } from "./peers-world.ts";
import { SERVED_SIDES } from "./serve-side.ts";
import { inProcess } from "./side-process.ts";
import type { Started } from "./start-main.ts";

/** How a process of one side starts, and what it then holds. */
export interface SideStart extends Started {
  readonly side: string;
  /** such processes in 1 GB: sessions of a host that starts a server for each */
  readonly per_gb: number;
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** Starts each side so many times, in turns, from nothing to its first row. */
export async function measureStarts(rounds: number): Promise<readonly SideStart[]> {
  const world = await startPeersWorld();
  try {
    const all = new Map(SERVED_SIDES.map((side) => [side, [] as Started[]]));
    for (let round = 0; round < rounds; round += 1) {
      for (const [side, starts] of all) {
        starts.push(await inProcess(world, "start-main.ts", side));
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
