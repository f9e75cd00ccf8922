import { closeSides, openSides } from "./open-sides.ts";
import { documentsFor, peerDocuments } from "./peer-documents.ts";
import { type PeersWorld, startPeersWorld } from "./peers-world.ts";
import { servedApart } from "./side-process.ts";
import { memoryFor, type Memory, type Side } from "./side.ts";
import { TIMED_TASKS, type TimedTask } from "./timed-tasks.ts";

/** What a side adds to the same requests made by a bare fetch. */
export interface AddedTime {
  readonly side: string;
  readonly requests: number;
  /** medians, in milliseconds */
  readonly whole_ms: number;
  readonly added_ms: number;
  /** Plasm's added time, divided by this side's */
  readonly plasm_ratio: number;
}

const median = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;

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

/** All sides in turns, round by round, so that they share whatever else the machine does. */
async function timesOf(
  world: PeersWorld,
  sides: readonly Side[],
  work: TimedTask,
): Promise<readonly (readonly number[])[]> {
  const memories = sides.map(() => memoryFor(work.task));
  const times = sides.map((): number[] => []);
  for (let round = -work.rounds; round < work.rounds; round += 1) {
    if (round % RESET_EVERY === 0) await world.reset();
    for (const at of inTurn(sides.length, round)) {
      const side = sides[at];
      if (side === undefined) continue;
      const memory = memories[at] ?? memoryFor(work.task);
      const time = await timeOf(side, work, memory);
      if (round >= 0) times[at]?.push(time);
    }
  }
  return times;
}

/** Compares sides, the last of which is the bare fetch of this process. */
async function addedTimes(
  world: PeersWorld,
  sides: readonly Side[],
): Promise<readonly AddedTime[]> {
  const added: AddedTime[] = [];
  for (const work of TIMED_TASKS) {
    const wholes = (await timesOf(world, sides, work)).map(median);
    const floor = wholes.at(-1) ?? 0;
    const ours = (wholes[0] ?? 0) - floor;
    for (const [at, { name }] of sides.slice(0, -1).entries()) {
      const whole = wholes[at] ?? 0;
      added.push({
        side: name,
        requests: work.requests,
        whole_ms: whole,
        added_ms: whole - floor,
        plasm_ratio: ours / (whole - floor),
      });
    }
  }
  return added;
}

/** Times of 1, 10 and 100 requests: each side a process of its own on stdio, the vendors on loopback. */
export async function measureTimes(): Promise<readonly AddedTime[]> {
  const world = await startPeersWorld();
  const sides: Side[] = [];
  try {
    const tasks = TIMED_TASKS.map(({ task }) => task);
    const documents = documentsFor(peerDocuments(), tasks);
    sides.push(...(await openSides(world, documents, servedApart)));
    return await addedTimes(world, sides);
  } finally {
    await closeSides(sides);
    await world.close();
  }
}

/** Added times as lines a reader compares at a glance. */
export const timeTable = (times: readonly AddedTime[]): string =>
  times
    .map(({ side, requests, whole_ms, added_ms, plasm_ratio }) => {
      const cells = [whole_ms, added_ms].map((ms) => ms.toFixed(1).padStart(9)).join("");
      return `${String(requests).padStart(4)}${cells} ms added  ${plasm_ratio.toFixed(2)}x  ${side}`;
    })
    .join("\n");
