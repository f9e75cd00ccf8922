import { playSession } from "./play.ts";
import type { Way } from "./speaker.ts";
import type { Stage } from "./stage.ts";

/** Who is killed before a call: who served the last one, or both. */
export const VICTIMS = ["last", "both"] as const;

export type Victims = (typeof VICTIMS)[number];

/** A session with replicas killed by SIGKILL before calls, and how many were. */
export interface KilledSession {
  readonly told: readonly string[];
  readonly kills: number;
}

/**
 * Plays a whole session on two replicas, killing before each call that `at` picks. Who is killed is there
 * again for the call, as a process that knows nothing.
 */
export async function playKilled(
  stage: Stage,
  way: Way,
  victims: Victims,
  at: (call: number) => boolean = (call) => call > 0,
): Promise<KilledSession> {
  let kills = 0;
  const told = await playSession(stage, way, async (call, next) => {
    if (!at(call)) return;
    const all = Array.from({ length: stage.count }, (_, index) => index);
    const killed = victims === "both" ? all : all.filter((index) => index !== next);
    kills += killed.length;
    await Promise.all(killed.map((index) => stage.crash(index)));
  });
  return { told, kills };
}
