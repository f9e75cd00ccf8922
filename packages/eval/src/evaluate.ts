import { createHash } from "node:crypto";
import { type Engine, Failure, type RunAnswer, type StructuredResult } from "@plasm/agent-core";
import { INSTRUCTIONS } from "@plasm/agent-core/internal";
import type { Notation } from "@plasm/core";
import { tryByCode } from "./code-form.ts";
import { Conversation, tryPrograms, type TrialOutcome } from "./conversation.ts";
import type { Model } from "./models.ts";
import { type EvalTask, type ExpectedAnswer, TaskSetError } from "./task-set.ts";
import { tryByTools } from "./tools-form.ts";
import {
  isDone,
  prepare,
  trialCaller,
  type Trial,
  type TrialAttempt,
  type TrialForm,
  type TrialVerdict,
  type World,
} from "./trial.ts";

/** What is tried. */
export interface EvalPlan {
  readonly tasks: readonly EvalTask[];
  readonly models: readonly Model[];
  readonly forms: readonly TrialForm[];
  readonly repeats: number;
  /** how often a program that was refused, or came out partial, may be written again */
  readonly corrections: number;
}

const ASK = `Write one program for the task. All that you know of the data is above; you cannot run anything before you answer. What you answer is
run as it stands, without review, so that it changes what the task says and nothing else. Answer with the program alone.`;

const firstText = (table: string, goal: string): string =>
  `${INSTRUCTIONS}\n\n${table}\n\nTask: ${goal}\n\n${ASK}`;

/** A session about one task. */
interface Session {
  readonly table: string;
  run(program: string): Promise<RunAnswer>;
}

/** Opens a session for a task: by its seeds, else by what its goal finds. Throws Failure. */
async function openSession(engine: Engine, task: EvalTask, notation: Notation): Promise<Session> {
  const caller = trialCaller();
  const answer = await engine.context(caller, {
    intent: task.goal,
    ...(task.seeds === undefined ? {} : { seeds: task.seeds }),
    notation,
    replay: true,
  });
  const { logical_session_ref: ref } = answer.meta;
  if (ref === null) throw new Error("a session that was opened has no ref");
  const run = (program: string): Promise<RunAnswer> =>
    engine.run(caller, { kind: "ref", ref }, { program, force: true, wait: true });
  return { table: answer.text, run };
}

const MOST_PAGES = 20;

/** A result with its further rows, read by its handle as its text says to. */
async function readOn({ run }: Session, first: StructuredResult): Promise<StructuredResult> {
  let all = first;
  for (let pages = 0; all.next !== null && pages < MOST_PAGES; pages += 1) {
    const [page] = (await run(`page(${all.next})`)).results;
    if (page === undefined) break;
    const { next, partial } = page;
    all = { ...all, rows: [...all.rows, ...page.rows], next, partial };
  }
  return all;
}

type Meta = {
  readonly effects?: readonly { readonly error: unknown }[];
};

/** Whether an answer says that it is not all there is. */
const saysPartial = ({ results, text }: RunAnswer): boolean =>
  results.some(({ partial, next }) => partial !== null || next !== null) ||
  text.includes("cell_unfit");

async function verdictOn(
  world: World,
  expected: ExpectedAnswer,
  answer: RunAnswer,
): Promise<Exclude<TrialVerdict, "missing">> {
  const { effects = [] } = answer.meta as Meta;
  const isRight = await isDone(world, expected, answer.results, effects.length > 0);
  if (isRight) return "right";
  if (effects.some(({ error }) => error !== null)) return "refused";
  return saysPartial(answer) ? "partial" : "wrong";
}

async function attempt(
  world: World,
  session: Session,
  task: EvalTask,
  program: string,
): Promise<TrialAttempt> {
  let answer: RunAnswer;
  try {
    const first = await session.run(program);
    const results: StructuredResult[] = [];
    for (const result of first.results) results.push(await readOn(session, result));
    answer = { ...first, results };
  } catch (thrown) {
    return { program, verdict: "refused", told: world.engine.problemOf(thrown).text };
  }
  return { program, verdict: await verdictOn(world, task.expect, answer), told: answer.text };
}

/** Asks a model for a program, runs it, and lets it mend what it was told is wrong. */
async function tryTask(
  world: World,
  task: EvalTask,
  model: Model,
  notation: Notation,
  corrections: number,
  signal: AbortSignal,
): Promise<TrialOutcome> {
  const session = await openSession(world.engine, task, notation).catch((thrown: unknown) => {
    if (thrown instanceof Failure) return thrown.problem.text;
    throw thrown;
  });
  if (typeof session === "string") {
    if (task.seeds !== undefined)
      throw new TaskSetError(`Task ${task.id} opens no session: ${session}`);
    // An agent would be told the same, and has no table to write a program by.
    const attempts = [{ program: "", verdict: "refused", told: session }] as const;
    return { attempts, tokens: { in: 0, out: 0 }, turns: [], fault: null };
  }
  const conversation = await Conversation.open(model, signal);
  const first = firstText(session.table, task.goal);
  return tryPrograms(conversation, first, corrections, (program) =>
    attempt(world, session, task, program),
  );
}

/** Does a task once, in one form. */
function tryIn(
  form: TrialForm,
  world: World,
  task: EvalTask,
  model: Model,
  corrections: number,
  signal: AbortSignal,
): Promise<TrialOutcome> {
  if (form === "tools") return tryByTools(world, task, model, signal);
  if (form === "code") return tryByCode(world, task, model, corrections, signal);
  return tryTask(world, task, model, form, corrections, signal);
}

/**
 * Has each model do each task, in each form and as often as asked, one after another, each on the first data; gives what came of each as
 * soon as it is known. Throws what is no fault of a model: TaskSetError for seeds that there are not, an API that cannot be asked.
 */
export async function* runTrials(
  world: World,
  plan: EvalPlan,
  signal: AbortSignal,
): AsyncGenerator<Trial> {
  const { tasks, models, forms, repeats, corrections } = plan;
  for (const model of models)
    for (const form of forms)
      for (let repeat = 1; repeat <= repeats; repeat += 1)
        for (const task of tasks) {
          signal.throwIfAborted();
          await prepare(world, task);
          const began = performance.now();
          const done = await tryIn(form, world, task, model, corrections, signal);
          const ms = Math.round(performance.now() - began);
          yield { task: task.id, model: model.name, form, repeat, ...done, ms };
        }
}

/** Names a state of catalogs or tasks, to tell whether two reports are about the same. */
export const tasksDigest = (texts: readonly string[]): string =>
  createHash("sha256").update(JSON.stringify(texts)).digest("hex").slice(0, 12);
