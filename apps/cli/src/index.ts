export type { Environment, ProcessContext, Screen } from "./cli-context.ts";
export type { ExitCode } from "./exit-codes.ts";
export { processContext } from "./process-context.ts";
export { run } from "./run.ts";
export type { StopSignal } from "./stop-signal.ts";
