import { failedError } from "../cli-error.ts";

const LEVELS: readonly string[] = ["trace", "debug", "info", "warn", "error", "fatal", "silent"];

/** How much is logged: `PLASM_LOG`, or info. Throws CliError for a word that is no level. */
export function logLevel(setting: string | undefined): string {
  const level = setting?.trim() || "info";
  if (LEVELS.includes(level)) return level;
  throw failedError(`PLASM_LOG is ${JSON.stringify(level)}. It is one of ${LEVELS.join(", ")}.`);
}
