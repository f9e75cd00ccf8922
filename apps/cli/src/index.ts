export type { Environment, ProcessContext, Screen, StopSignal } from "./cli-context.ts";
export type { ExitCode } from "./exit-codes.ts";
export { processContext } from "./process-context.ts";
export { run } from "./run.ts";
