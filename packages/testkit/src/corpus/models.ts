import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";

/** Sessions that programs were written for, by their catalogs. */
export const modelSessions = ["github", "quay-yard", "redmine"] as const;
export type ModelSession = (typeof modelSessions)[number];

/** A program that a language model wrote at its first try, seeing contract, table and task alone. */
export interface ModelProgram {
  readonly session: ModelSession;
  readonly notation: "symbols" | "names";
  readonly id: string;
  readonly task: string;
  readonly program: string;
  /** what a reader who compared task and plan found wrong with it, or null */
  readonly wrong: string | null;
}

interface ModelFile {
  readonly programs: Readonly<Record<string, string>>;
  readonly wrong?: Readonly<Record<string, string>>;
}

const read = (file: string): unknown =>
  parse(
    readFileSync(fileURLToPath(new URL(`../../corpus/models/${file}`, import.meta.url)), "utf8"),
  );

/** All programs that language models wrote, in both notations. */
export function modelPrograms(): readonly ModelProgram[] {
  const tasks = read("tasks.yaml") as Readonly<Record<string, Readonly<Record<string, string>>>>;
  return modelSessions.flatMap((session) =>
    (["symbols", "names"] as const).flatMap((notation) => {
      const { programs, wrong = {} } = read(`${session}-${notation}.yaml`) as ModelFile;
      return Object.entries(programs).map(([id, program]): ModelProgram => {
        const task = tasks[session]?.[id];
        if (task === undefined) throw new Error(`${session} has no task ${id}`);
        return { session, notation, id, task, program, wrong: wrong[id] ?? null };
      });
    }),
  );
}
