import { serveTrials } from "../serve-trials.ts";

const kept: number[][] = [];

/** Takes what it is told to: nothing, memory for good, or no input at all. */
function tried(input: string): void {
  if (input === "throws") throw new Error("it takes no such input");
  while (input === "hungry") kept.push(Array.from({ length: 1_000_000 }, () => 1 / 3));
}

await serveTrials(tried, ["nothing"], () => Promise.resolve());
