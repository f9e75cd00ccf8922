import { startPeersWorld } from "./peers-world.ts";
import type { Held } from "./sessions-main.ts";
import { SERVED_SIDES } from "./serve-side.ts";
import { inProcess } from "./side-process.ts";

/** How many sessions one process of a side holds. */
export interface SideSessions {
  readonly side: string;
  /** in use after a collection, a few sessions being open */
  readonly before_mb: number;
  /** what one more session keeps of it */
  readonly kb_a_session: number;
  /** sessions at which 1 GB is in use; null where one keeps less than what a process moves by itself */
  readonly per_gb: number | null;
}

/** A session that keeps less cannot be told from a process that moves by some MB. */
const LEAST_MB = 0.000_1;

/** Lets a process of each side hold sessions that have had their first row. */
export async function measureSessions(): Promise<readonly SideSessions[]> {
  const world = await startPeersWorld();
  try {
    const all: SideSessions[] = [];
    for (const side of SERVED_SIDES) {
      const held = await inProcess<Held>(world, "sessions-main.ts", side);
      const { sessions, before_mb, after_mb } = held;
      const each = (after_mb - before_mb) / sessions;
      const per_gb = each > LEAST_MB ? Math.floor((1_000 - before_mb) / each) : null;
      all.push({ side, before_mb, kb_a_session: each * 1_000, per_gb });
    }
    return all;
  } finally {
    await world.close();
  }
}

/** Sessions as lines a reader compares at a glance. */
export const sessionTable = (all: readonly SideSessions[]): string =>
  all
    .map(({ side, before_mb, kb_a_session, per_gb }) => {
      const memory = `${before_mb.toFixed(0).padStart(7)} MB and ${kb_a_session.toFixed(1)} kB a session`;
      return `${memory}, ${per_gb ?? "any number"} in 1 GB  ${side}`;
    })
    .join("\n");
