import { processContext } from "./process-context.ts";
import { run } from "./run.ts";

/** Runs the command line of this process; its exit code is the process's (SURF-22). */
export async function start(): Promise<void> {
  process.exitCode = await run(process.argv.slice(2), processContext(process.env));
}
