import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDatabase, startPostgres } from "@plasm/testkit/postgres";
import { embeddedStrikes, replicaStrikes } from "./kill-list.ts";
import { KillWorld, type Strike, type StrikeOutcome, strikeText } from "./kill-world.ts";

export type KillStore = "sqlite" | "postgres";

/** What the kills of one part came to. */
export interface PartOutcome {
  readonly kills: number;
  /** of those, at a boundary that was reached, and at an instant at random */
  readonly boundary: number;
  readonly random: number;
  readonly duplicates: number;
  readonly lost: number;
  readonly unreported: number;
  readonly unreviewed: number;
  /** handles that were told, and those of them that do not answer as they did */
  readonly handles: number;
  readonly unanswered: number;
  /** effects that were told as done, and as in doubt */
  readonly done: number;
  readonly doubtful: number;
  readonly faults: readonly string[];
}

const LISTS = { sqlite: embeddedStrikes, postgres: replicaStrikes };

/** What a seed has done to a store, cut into parts: every so-manieth, so that each has of all kinds. */
export const strikesOf = (
  store: KillStore,
  seed: number,
  part: number,
  parts: number,
): readonly Strike[] => LISTS[store](seed).filter((_, n) => n % parts === part);

const NOTHING: PartOutcome = {
  kills: 0,
  boundary: 0,
  random: 0,
  duplicates: 0,
  lost: 0,
  unreported: 0,
  unreviewed: 0,
  handles: 0,
  unanswered: 0,
  done: 0,
  doubtful: 0,
  faults: [],
};

function after(sum: PartOutcome, { death }: Strike, outcome: StrikeOutcome): PartOutcome {
  const boundary = death.by === "clock" ? 0 : 1;
  return {
    ...sum,
    kills: sum.kills + outcome.kills,
    boundary: sum.boundary + boundary,
    random: sum.random + outcome.kills - boundary,
    duplicates: sum.duplicates + outcome.duplicates,
    lost: sum.lost + outcome.lost,
    unreported: sum.unreported + outcome.unreported,
    unreviewed: sum.unreviewed + outcome.unreviewed,
    done: sum.done + outcome.done,
    doubtful: sum.doubtful + outcome.doubtful,
    faults: [...sum.faults, ...outcome.faults],
  };
}

/** Does it in one world, one after the other; `said` is told of each. */
async function strikeAll(
  world: KillWorld,
  strikes: readonly Strike[],
  said: (text: string) => void = () => undefined,
): Promise<PartOutcome> {
  let sum = NOTHING;
  for (const strike of strikes) {
    const began = performance.now();
    sum = after(sum, strike, await world.strike(strike));
    said(`${Math.round(performance.now() - began)} ms  ${strikeText(strike)}`);
  }
  const unanswered = await world.unanswered();
  const faults = unanswered.map((handle) => `${handle} does not answer as it did`);
  return {
    ...sum,
    handles: world.handles,
    unanswered: unanswered.length,
    faults: [...sum.faults, ...faults],
  };
}

/** A world of its own on a directory of its own, and a PostgreSQL of its own for replicas. */
export async function tryPart(
  store: KillStore,
  strikes: readonly Strike[],
  said: (text: string) => void,
): Promise<PartOutcome> {
  const dir = await mkdtemp(join(tmpdir(), "plasm-kills-"));
  const server = store === "postgres" ? await startPostgres() : null;
  const database = server === null ? null : await createDatabase(server.url);
  const world = await KillWorld.open(dir, database?.url ?? null);
  try {
    return await strikeAll(world, strikes, said);
  } finally {
    await world.close();
    await server?.stop();
    await rm(dir, { recursive: true, force: true });
  }
}
