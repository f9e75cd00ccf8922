import { fail } from "../errors/failure.ts";

/** What a program is to do: be planned dry, be explained (OPS-38), or run live. */
export type ProgramMode = "plan" | "explain" | "run";

/** Reads `mode`; throws plasm-bad-request for anything but the modes there are (OPS-34). */
export function readMode(value: unknown, otherwise: ProgramMode): ProgramMode {
  if (value === undefined) return otherwise;
  if (value === "plan" || value === "explain" || value === "run") return value;
  throw fail("plasm-bad-request", "mode is plan, explain or run.");
}
