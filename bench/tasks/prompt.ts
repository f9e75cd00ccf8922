import type { Notation } from "@plasm/core";
import { openWorld } from "./opened.ts";
import type { TaskWorld } from "./worlds.ts";

const ending = (first: string, second: string): string => `
Write one program for each task. All that you know of the data is above; you cannot run anything before you answer.
Answer with one JSON object and nothing else, from the id of each task to its program as text:
{"${first}": "…", "${second}": "…", …}
`;

/** All that a model has that is to do the tasks: instructions, contract, table, tasks. */
export async function promptOf(world: TaskWorld, notation: Notation): Promise<string> {
  const opened = await openWorld(world, notation);
  try {
    const { instructions } = opened.session;
    const tasks = world.tasks.map(({ id, ask }) => `${id}: ${ask}`).join("\n");
    const [first, second] = world.tasks.map(({ id }) => id);
    const last = ending(first ?? "", second ?? "");
    return `${instructions}\n\n${opened.table}\n\nTasks:\n\n${tasks}\n${last}`;
  } finally {
    await opened.close();
  }
}
