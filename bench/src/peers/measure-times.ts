import { median } from "./median.ts";
import { closeSides, openTimedSides, type TimedSides } from "./open-sides.ts";
import { documentsFor, peerDocuments } from "./peer-documents.ts";
import { type PeersWorld, startPeersWorld } from "./peers-world.ts";
import { memoryFor, type Memory, type Side } from "./side.ts";
import { TIMED_TASKS, type TimedTask } from "./timed-tasks.ts";

/** What a side adds to the same requests made by a bare fetch, which makes as many at a time. */
export interface AddedTime {
  readonly side: string;
  readonly requests: number;
  /** medians, in milliseconds */
  readonly whole_ms: number;
  readonly added_ms: number;
  /** Plasm's added time, divided by this side's; null where that is no more than a bare fetch needs */
  readonly plasm_ratio: number | null;
}

/** The same in servers that have run for long, and in those that have just been started. */
export interface AddedTimes {
  readonly added: readonly AddedTime[];
  readonly fresh: readonly AddedTime[];
}

/** One side's time for a piece of work; throws unless it made as many requests as it should. */
async function timeOf(side: Side, { task, requests }: TimedTask, memory: Memory): Promise<number> {
  const start = performance.now();
  const transcript = await side.play(task, memory);
  const time = performance.now() - start;
  if (transcript.requests !== requests) {
    throw new Error(`${side.name} made ${transcript.requests} requests, not ${requests}`);
  }
  return time;
}

/** Rounds after which what sides have used of an hour's requests is forgotten: they only read. */
const RESET_EVERY = 8;

/** Indexes, another one first in each round: what one leaves to do when it has answered falls to all others alike. */
const inTurn = (count: number, round: number): readonly number[] =>
  Array.from({ length: count }, (_none, at) => (((at + round) % count) + count) % count);

/** Rounds of a piece of work: the first ones are not timed. */
interface Rounds {
  readonly before: number;
  readonly timed: number;
}

/** The median time of each side; all in turns, round by round, so that they share whatever else the machine does. */
async function mediansOf(
  world: PeersWorld,
  sides: readonly Side[],
  work: TimedTask,
  { before, timed }: Rounds,
): Promise<readonly number[]> {
  const memories = sides.map(() => memoryFor(work.task));
  const times = sides.map((): number[] => []);
  for (let round = -before; round < timed; round += 1) {
    if (round % RESET_EVERY === 0) await world.reset();
    for (const at of inTurn(sides.length, round)) {
      const side = sides[at];
      if (side === undefined) continue;
      const memory = memories[at] ?? memoryFor(work.task);
      const time = await timeOf(side, work, memory);
      if (round >= 0) times[at]?.push(time);
    }
  }
  return times.map(median);
}

/** What each of some sides adds to what the last of them needs, which is a bare fetch; `plasm` is what Plasm adds. */
function addedBy(
  sides: readonly Side[],
  wholes: readonly number[],
  requests: number,
  plasm: number = (wholes[0] ?? 0) - (wholes.at(-1) ?? 0),
): readonly AddedTime[] {
  const floor = wholes.at(-1) ?? 0;
  return sides.slice(0, -1).map(({ name: side }, at) => {
    const whole_ms = wholes[at] ?? 0;
    const added_ms = whole_ms - floor;
    return {
      side,
      requests,
      whole_ms,
      added_ms,
      plasm_ratio: added_ms > 0 ? plasm / added_ms : null,
    };
  });
}

/** Sides that speak to servers of their own, as long as they are asked. */
async function withSides<T>(
  world: PeersWorld,
  work: (sides: TimedSides) => Promise<T>,
): Promise<T> {
  const tasks = TIMED_TASKS.map(({ task }) => task);
  const documents = documentsFor(peerDocuments(), tasks);
  const sides = await openTimedSides(world, documents);
  try {
    return await work(sides);
  } finally {
    await closeSides(sides.atOnce);
  }
}

/** One call after the other takes so long that it is timed this much less often. */
const LESS_OFTEN = 10;

async function warmTimes(
  world: PeersWorld,
  { atOnce, oneByOne }: TimedSides,
): Promise<readonly AddedTime[]> {
  const added: AddedTime[] = [];
  for (const work of TIMED_TASKS) {
    const { requests, rounds } = work;
    const wholes = await mediansOf(world, atOnce, work, { before: rounds, timed: rounds });
    const own = addedBy(atOnce, wholes, requests);
    added.push(...own);
    if (requests === 1) continue;
    const fewer = Math.ceil(rounds / LESS_OFTEN);
    const slowly = await mediansOf(world, oneByOne, work, { before: fewer, timed: fewer });
    added.push(...addedBy(oneByOne, slowly, requests, own[0]?.added_ms));
  }
  return added;
}

/** As many rounds as a host may well make of a server that it starts for one conversation. */
const FRESH: Rounds = { before: 0, timed: 9 };

/** Each piece of work by new processes, which have done nothing before. */
async function freshTimes(world: PeersWorld): Promise<readonly AddedTime[]> {
  const added: AddedTime[] = [];
  for (const work of TIMED_TASKS) {
    await withSides(world, async ({ atOnce }) => {
      added.push(...addedBy(atOnce, await mediansOf(world, atOnce, work, FRESH), work.requests));
    });
  }
  return added;
}

/** Times of 1, 10 and 100 requests: each side a process of its own on stdio, the vendors on loopback. */
export async function measureTimes(): Promise<AddedTimes> {
  const world = await startPeersWorld();
  try {
    const added = await withSides(world, (sides) => warmTimes(world, sides));
    return { added, fresh: await freshTimes(world) };
  } finally {
    await world.close();
  }
}

/** Added times as lines a reader compares at a glance. */
export const timeTable = (times: readonly AddedTime[]): string =>
  times
    .map(({ side, requests, whole_ms, added_ms, plasm_ratio }) => {
      const cells = [whole_ms, added_ms].map((ms) => ms.toFixed(1).padStart(9)).join("");
      return `${String(requests).padStart(4)}${cells} ms added  ${plasm_ratio?.toFixed(2) ?? "-"}x  ${side}`;
    })
    .join("\n");
