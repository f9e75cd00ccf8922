import { fail } from "@plasm/agent-core";

/** What a program is to do: be planned dry, or run live. */
export type ProgramMode = "plan" | "run";

/** Reads `mode`; throws plasm-bad-request for anything but the modes there are (OPS-34). */
export function readMode(value: unknown, otherwise: ProgramMode): ProgramMode {
  if (value === undefined) return otherwise;
  if (value === "plan" || value === "run") return value;
  throw fail("plasm-bad-request", "mode is plan or run.");
}
