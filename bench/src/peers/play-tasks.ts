import type { PeerTask } from "./peer-task.ts";
import type { PeersWorld } from "./peers-world.ts";
import { freshMemory, memoryFor, type Memory, type Side } from "./side.ts";
import { sorted, type Transcript } from "./transcript.ts";

/** A task that a side has done rightly. */
export interface Played {
  readonly task: PeerTask;
  readonly side: Side;
  readonly transcript: Transcript;
}

/** Does a task on fresh data; throws unless its answer is the one that the servers give themselves. */
export async function playTask(
  world: PeersWorld,
  side: Side,
  task: PeerTask,
  memory: Memory = memoryFor(task),
): Promise<Played> {
  await world.reset();
  const wanted = JSON.stringify(sorted(await task.oracle(world)));
  const transcript = await side.play(task, memory);
  const given = JSON.stringify(sorted(transcript.rows));
  if (given !== wanted) {
    throw new Error(`${side.name}, ${task.name}: gave ${given} where ${wanted} is right`);
  }
  return { task, side, transcript };
}

/** Every task on every side, each in a conversation of its own. */
export async function playAll(
  world: PeersWorld,
  sides: readonly Side[],
  tasks: readonly PeerTask[],
): Promise<readonly Played[]> {
  const played: Played[] = [];
  for (const task of tasks) {
    for (const side of sides) played.push(await playTask(world, side, task));
  }
  return played;
}

/** All tasks in one conversation, which learns nothing twice. */
export async function playTogether(
  world: PeersWorld,
  side: Side,
  tasks: readonly PeerTask[],
): Promise<readonly Played[]> {
  const memory = freshMemory("a day at the harbour");
  const played: Played[] = [];
  for (const task of tasks) played.push(await playTask(world, side, task, memory));
  return played;
}
