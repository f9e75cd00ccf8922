import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";

/**
 * What becomes of a program: it plans as written, plans after the programs that its errors suggest, or
 * its errors tell in words what to write.
 */
export type Ending = "plans" | "mended" | "told";

/** A program as it comes from the habit of another language, on the quay catalog. */
export interface HabitProgram {
  readonly habit: string;
  readonly program: string;
  readonly ends: Ending;
  /** what the first error's message and correction hold; for endings in words */
  readonly says?: string;
  /** the program that is left after all suggestions were taken; for mended ones */
  readonly as?: string;
}

/** All programs of known habits, in the order of the file. */
export function habitPrograms(): readonly HabitProgram[] {
  const path = fileURLToPath(new URL("../../corpus/habits.yaml", import.meta.url));
  const groups = parse(readFileSync(path, "utf8")) as Readonly<
    Record<string, readonly Omit<HabitProgram, "habit">[]>
  >;
  return Object.entries(groups).flatMap(([habit, programs]) =>
    programs.map((program) => ({ habit, ...program })),
  );
}
