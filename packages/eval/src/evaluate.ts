import { createHash, randomUUID } from "node:crypto";
import {
  type Engine,
  Failure,
  LOCAL,
  type RunAnswer,
  type StructuredResult,
} from "@plasm/agent-core";
import { INSTRUCTIONS, tokenCounter } from "@plasm/agent-core/internal";
import type { Notation } from "@plasm/core";
import { isAnswered, isWithin } from "./judge.ts";
import { type Model, ModelError, type Turn } from "./models.ts";
import { type EvalTask, type ExpectedAnswer, type StateCheck, TaskSetError } from "./task-set.ts";

/**
 * right; wrong: not right, and nothing says so, a silent mistake; partial: not right, and it says that rows or values are missing;
 * refused: an error came in its place; missing: the model gave no answer.
 */
export const VERDICTS = ["right", "wrong", "partial", "refused", "missing"] as const;
export type TrialVerdict = (typeof VERDICTS)[number];

/** The APIs of a task set, as they stand for one task. */
export interface World {
  readonly engine: Engine;
  /** where an API listens, by the id of its catalog; undefined for one that nothing is known of */
  addressOf(api: string): string | undefined;
  /** puts the first data back, before a task that may be asked after one that changed some */
  reset(): Promise<void>;
}

/** A program that a model wrote, and what became of it. */
export interface TrialAttempt {
  readonly program: string;
  readonly verdict: TrialVerdict;
  /** what the model was told */
  readonly told: string;
}

/** One task done once by one model. */
export interface Trial {
  readonly task: string;
  readonly model: string;
  readonly notation: Notation;
  readonly repeat: number;
  /** one for each program: the first, and one a correction */
  readonly attempts: readonly TrialAttempt[];
  /** tokens of all that the model was sent, and of what it said: as its provider counts them, else by o200k */
  readonly tokens: { readonly in: number; readonly out: number };
  readonly ms: number;
  readonly turns: readonly Turn[];
  /** why there is no answer; null where there is */
  readonly fault: string | null;
}

/** What is tried. */
export interface EvalPlan {
  readonly tasks: readonly EvalTask[];
  readonly models: readonly Model[];
  readonly notations: readonly Notation[];
  readonly repeats: number;
  /** how often a program that was refused, or came out partial, may be written again */
  readonly corrections: number;
}

const FENCE = /```[a-z]*\n([^`]*)```/g;

/** The program in what a model said: what stands in its last fence, else all of it. */
const programIn = (said: string): string => ([...said.matchAll(FENCE)].at(-1)?.[1] ?? said).trim();

const ASK = `Write one program for the task. All that you know of the data is above; you cannot run anything before you answer. What you answer is
run as it stands, without review, so that it changes what the task says and nothing else. Answer with the program alone.`;

const firstTurn = (table: string, goal: string): Turn => ({
  role: "user",
  text: `${INSTRUCTIONS}\n\n${table}\n\nTask: ${goal}\n\n${ASK}`,
});

const again = (told: string): Turn => ({
  role: "user",
  text: `It was run, and this came of it:\n\n${told}\n\nAnswer with the program that does the task now, and nothing else.`,
});

/** A session about one task. */
interface Session {
  readonly table: string;
  run(program: string): Promise<RunAnswer>;
}

/** Opens a session for a task: by its seeds, else by what its goal finds. Throws Failure. */
async function openSession(engine: Engine, task: EvalTask, notation: Notation): Promise<Session> {
  // Each trial is somebody else's: one intent of one caller is one session.
  const caller = { ...LOCAL, subject: `trial-${randomUUID()}`, connection: randomUUID() };
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

const ASK_MS = 10_000;

/** Whether an API says of itself what a task expects. Throws where it cannot be asked. */
async function isInState(world: World, check: StateCheck): Promise<boolean> {
  const base = world.addressOf(check.api);
  if (base === undefined)
    throw new Error(`nothing is known of where the API of ${check.api} listens`);
  const response = await fetch(`${base.replace(/(?<!\/)\/+$/, "")}${check.get}`, {
    headers: { accept: "application/json" },
    signal: AbortSignal.timeout(ASK_MS),
  });
  if ("missing" in check) return response.status === 404;
  return response.ok && isWithin(check.has, (await response.json()) as unknown);
}

type Meta = {
  readonly effects?: readonly { readonly error: unknown }[];
};

/** Whether an answer says that it is not all there is. */
const saysPartial = ({ results, text }: RunAnswer): boolean =>
  results.some(({ partial, next }) => partial !== null || next !== null) ||
  text.includes("cell_unfit");

function expectedAnswer({ rows, ordered, number, within, text }: ExpectedAnswer) {
  if (rows !== undefined) return { rows, ordered };
  if (number !== undefined) return { number, within };
  return text === undefined ? null : { text };
}

async function verdictOn(
  world: World,
  expected: ExpectedAnswer,
  answer: RunAnswer,
): Promise<Exclude<TrialVerdict, "missing">> {
  const { effects = [] } = answer.meta as Meta;
  const wanted = expectedAnswer(expected);
  const states = await Promise.all((expected.state ?? []).map((one) => isInState(world, one)));
  const isRight =
    (wanted === null || isAnswered(wanted, answer.results)) &&
    states.every(Boolean) &&
    // Who was asked a question changes nothing.
    (expected.state !== undefined || effects.length === 0);
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

const isOver = ({ verdict }: TrialAttempt): boolean => verdict === "right" || verdict === "wrong";

/** Asks a model for a program, runs it, and lets it mend what it was told is wrong. */
async function tryTask(
  world: World,
  task: EvalTask,
  model: Model,
  notation: Notation,
  corrections: number,
  signal: AbortSignal,
): Promise<Pick<Trial, "attempts" | "tokens" | "turns" | "fault">> {
  const count = await tokenCounter();
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
  const turns: Turn[] = [firstTurn(session.table, task.goal)];
  const attempts: TrialAttempt[] = [];
  const tokens = { in: 0, out: 0 };
  try {
    while (attempts.length <= corrections) {
      const sent = turns.reduce((sum, { text }) => sum + count(text), 0);
      const said = await model.answer(turns, signal);
      tokens.in += said.tokensIn ?? sent;
      tokens.out += said.tokensOut ?? count(said.text);
      turns.push({ role: "assistant", text: said.text });
      const done = await attempt(world, session, task, programIn(said.text));
      attempts.push(done);
      if (isOver(done)) break;
      turns.push(again(done.told));
    }
  } catch (thrown) {
    signal.throwIfAborted();
    if (!(thrown instanceof ModelError)) throw thrown;
    return { attempts, tokens, turns, fault: thrown.message };
  }
  return { attempts, tokens, turns, fault: null };
}

/** What came of a trial at first, and at last. */
export const verdictsOf = ({ attempts }: Pick<Trial, "attempts">) => ({
  first: attempts[0]?.verdict ?? "missing",
  last: attempts.at(-1)?.verdict ?? "missing",
});

/**
 * Has each model do each task, in each notation and as often as asked, one after another, each on the first data; gives what came of each as
 * soon as it is known. Throws what is no fault of a model: TaskSetError for seeds that there are not, an API that cannot be asked.
 */
export async function* runTrials(
  world: World,
  plan: EvalPlan,
  signal: AbortSignal,
): AsyncGenerator<Trial> {
  const { tasks, models, notations, repeats, corrections } = plan;
  for (const model of models)
    for (const notation of notations)
      for (let repeat = 1; repeat <= repeats; repeat += 1)
        for (const task of tasks) {
          signal.throwIfAborted();
          await world.reset();
          const began = performance.now();
          const done = await tryTask(world, task, model, notation, corrections, signal);
          const ms = Math.round(performance.now() - began);
          yield { task: task.id, model: model.name, notation, repeat, ...done, ms };
        }
}

/** Names a state of catalogs or tasks, to tell whether two reports are about the same. */
export const tasksDigest = (texts: readonly string[]): string =>
  createHash("sha256").update(JSON.stringify(texts)).digest("hex").slice(0, 12);
