import type { AgentSession, RunAnswer, StructuredResult } from "@plasm/agent-core";
import type { Notation } from "@plasm/core";
import { isRight } from "./check-answer.ts";
import { openWorld, type OpenedWorld } from "./opened.ts";
import type { Effect } from "@plasm/sample-apis/shop";
import type { RightAnswer, TaskNeed } from "./task.ts";
import type { CheckedTask, TaskWorld } from "./worlds.ts";

/** A program for each task by its id; a list is a first answer, and the one after its correction. */
export type AnswerSheet = Readonly<Record<string, string | readonly string[]>>;

/**
 * right; refused: an error came instead of an answer; partial: the answer is not right and says that something is
 * missing; wrong: it is not right and says nothing of the kind; missing: there is no program.
 */
export type TaskVerdict = "right" | "wrong" | "partial" | "refused" | "missing";

/** A program as it was answered, and what became of it. */
export interface AnsweredProgram {
  readonly program: string;
  readonly verdict: TaskVerdict;
  /** how many of its results went on behind a handle, which was followed */
  readonly pages?: number;
  /** of what is not right: what a model was told, cut */
  readonly told?: string;
}

export interface TaskReport {
  readonly id: string;
  readonly kind: TaskNeed;
  readonly ask: string;
  readonly attempts: readonly AnsweredProgram[];
}

export interface WorldReport {
  readonly world: string;
  readonly notation: Notation;
  readonly tasks: number;
  /** verdicts of first answers */
  readonly first: Readonly<Record<TaskVerdict, number>>;
  /** verdicts of last answers, the correction's where there is one */
  readonly last: Readonly<Record<TaskVerdict, number>>;
  readonly answers: readonly TaskReport[];
}

const MOST_TOLD = 1_500;

/** Whether an answer says that it is not all there is. */
function saysPartial(answer: RunAnswer): boolean {
  const cut = answer.results.some(({ partial, next }) => partial !== null || next !== null);
  return cut || answer.text.includes("cell_unfit");
}

function hasFailedEffect({ meta }: RunAnswer): boolean {
  const { effects } = meta as { readonly effects?: readonly { readonly error: unknown }[] };
  return (effects ?? []).some(({ error }) => error !== null);
}

/** What became of a program: its answer with the writes that it sent, or what a model was told instead. */
export type ProgramOutcome =
  | {
      readonly answer: RunAnswer;
      readonly effects: readonly Effect[];
      /** how many lists went on and were read to their end */
      readonly pages: number;
    }
  | { readonly answer: null; readonly told: string };

const MOST_PAGES = 20;

/** As much of a session as programs need. */
interface Running {
  run(
    program: string,
    options: { readonly force: true; readonly wait: true },
  ): ReturnType<AgentSession["run"]>;
}

/** A result with its further rows, read by its handle as its text says to. */
async function readOn(session: Running, first: StructuredResult): Promise<StructuredResult> {
  let all = first;
  for (let pages = 0; all.next !== null && pages < MOST_PAGES; pages++) {
    const { results } = await session.run(`page(${all.next})`, { force: true, wait: true });
    const [page] = results;
    if (page === undefined) break;
    const { next, partial } = page;
    all = { ...all, rows: [...all.rows, ...page.rows], next, partial };
  }
  return all;
}

/** Runs a program on the first data, and reads lists on that go on. */
export async function runProgram(
  { server, session, told }: Pick<OpenedWorld, "server" | "told"> & { readonly session: Running },
  program: string,
): Promise<ProgramOutcome> {
  server.reset();
  try {
    const answer = await session.run(program, { force: true, wait: true });
    const results: StructuredResult[] = [];
    for (const result of answer.results) results.push(await readOn(session, result));
    const pages = answer.results.filter(({ next }) => next !== null).length;
    return { answer: { ...answer, results }, effects: [...server.effects], pages };
  } catch (thrown) {
    return { answer: null, told: told(thrown) };
  }
}

/** Says whether a task is done by what a program did. */
export function verdictOn(expected: RightAnswer, done: ProgramOutcome): TaskVerdict {
  if (done.answer === null) return "refused";
  if (isRight(expected, { results: done.answer.results, effects: done.effects })) return "right";
  if (hasFailedEffect(done.answer)) return "refused";
  return saysPartial(done.answer) ? "partial" : "wrong";
}

async function attempt(
  opened: OpenedWorld,
  task: CheckedTask,
  program: string,
): Promise<AnsweredProgram> {
  const expected = task.expect(new Date());
  const done = await runProgram(opened, program);
  const verdict = verdictOn(expected, done);
  const read = done.answer !== null && done.pages > 0 ? { pages: done.pages } : {};
  if (verdict === "right") return { program, verdict, ...read };
  const told = done.answer === null ? done.told : done.answer.text;
  return { program, verdict, ...read, told: told.slice(0, MOST_TOLD) };
}

function counted(verdicts: readonly TaskVerdict[]): Readonly<Record<TaskVerdict, number>> {
  const count = (verdict: TaskVerdict): number => verdicts.filter((one) => one === verdict).length;
  return {
    right: count("right"),
    wrong: count("wrong"),
    partial: count("partial"),
    refused: count("refused"),
    missing: count("missing"),
  };
}

/** Runs a program for each task through the engine, each on the first data, and compares what it did. */
export async function runAnswers(
  world: TaskWorld,
  notation: Notation,
  answers: AnswerSheet,
): Promise<WorldReport> {
  const unknown = Object.keys(answers).filter((id) => !world.tasks.some((task) => task.id === id));
  if (unknown.length > 0) throw new Error(`${world.name} has no task ${unknown.join(", ")}`);
  const opened = await openWorld(world, notation);
  const reports: TaskReport[] = [];
  try {
    for (const task of world.tasks) {
      const given = answers[task.id] ?? [];
      const attempts: AnsweredProgram[] = [];
      for (const program of typeof given === "string" ? [given] : given) {
        attempts.push(await attempt(opened, task, program));
      }
      const { id, kind, ask } = task;
      reports.push({ id, kind, ask, attempts });
    }
  } finally {
    await opened.close();
  }
  return {
    world: world.name,
    notation,
    tasks: reports.length,
    first: counted(reports.map(({ attempts }) => attempts[0]?.verdict ?? "missing")),
    last: counted(reports.map(({ attempts }) => attempts.at(-1)?.verdict ?? "missing")),
    answers: reports,
  };
}
