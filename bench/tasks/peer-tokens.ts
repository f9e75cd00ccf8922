import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { INSTRUCTIONS, TOOLS } from "@plasm/agent-core/internal";
import type { Notation } from "@plasm/core";
import { TOKENIZERS } from "../src/peers/count-tokens.ts";
import { median } from "../src/peers/median.ts";
import { callText } from "../src/peers/transcript.ts";
import { type OpenedPeer, openPeer, runPeerProgram } from "./codemode.ts";
import { entitiesOf, searchFor } from "./codemode-search.ts";
import { openWorld, type OpenedWorld } from "./opened.ts";
import { type AnswerSheet, runProgram, verdictOn } from "./run-answers.ts";
import { type CheckedTask, type TaskWorld, WORLDS } from "./worlds.ts";

const count = TOKENIZERS.o200k;
const sum = (figures: readonly number[]): number => figures.reduce((all, one) => all + one, 0);

/** Tokens of some texts, one a task. */
interface Spread {
  readonly sum: number;
  readonly median: number;
}

const spread = (figures: readonly number[]): Spread => ({
  sum: sum(figures),
  median: median(figures),
});

/** What one side takes for the tasks of a world, all of them done right, in o200k tokens. */
export interface WorldTokens {
  readonly world: string;
  readonly side: string;
  readonly tasks: number;
  /** programs of a first answer that were right, and that were wrong and did not say so */
  readonly right_at_first: number;
  /** instructions and tools, before anything is said */
  readonly definitions: number;
  /** what teaches the whole API: a call and its answer */
  readonly learn: number;
  /** the programs as they are written; a task's last where the first was not right */
  readonly programs: Spread;
  /** the calls that hold them, as compact JSON, with those that read lists on */
  readonly calls: Spread;
  /** the texts that the calls answer */
  readonly answers: Spread;
  /** calls and answers of tasks that only read, and of those that change something */
  readonly reads: number;
  readonly effects: number;
  /** one conversation that does all tasks */
  readonly together: number;
  /** calls and answers that teach no more than a task needs, one conversation a task */
  readonly learn_alone: Spread;
  /** one conversation a task, with the definitions each time */
  readonly cold: Spread;
}

/** A task as it was done. */
interface DoneTask {
  readonly first: boolean;
  readonly program: number;
  readonly call: number;
  readonly answer: number;
}

async function sheet(name: string): Promise<AnswerSheet> {
  const text = await readFile(join(import.meta.dirname, "answers", `${name}.json`), "utf8");
  return JSON.parse(text) as AnswerSheet;
}

/** A side's programs by the id of their task: a list holds the first, and the one after a correction. */
const attemptsAt = (programs: AnswerSheet, { id }: CheckedTask): readonly string[] =>
  [programs[id] ?? []].flat();

/** The programs that language models answered, as bench/results has them. */
async function modelSheet(world: string, notation: Notation): Promise<AnswerSheet> {
  const file = join(import.meta.dirname, "..", "results", `tasks-${world}-${notation}.json`);
  const { answers } = JSON.parse(await readFile(file, "utf8")) as {
    readonly answers: readonly {
      readonly id: string;
      readonly attempts: readonly { readonly program: string }[];
    }[];
  };
  return Object.fromEntries(
    answers.map(({ id, attempts }) => [id, attempts.map(({ program }) => program)]),
  );
}

const contextCall = ({ name, intent, entities }: TaskWorld, notation: Notation): string => {
  const seeds = entities.map((entity) => ({ api: name, entity }));
  return callText("plasm_context", { intent, seeds, notation });
};

/** What a session of these entities teaches: the call that opens it, and its answer. */
async function learnt(world: TaskWorld, notation: Notation): Promise<number> {
  const opened = await openWorld(world, notation);
  await opened.close();
  return count(contextCall(world, notation)) + count(opened.table);
}

/** Runs one of our programs, and keeps all that is said and answered, lists that are read on too. */
async function runOurs(
  opened: OpenedWorld,
  task: CheckedTask,
  program: string,
): Promise<Omit<DoneTask, "first"> & { readonly right: boolean }> {
  const ref = /^logical_session_ref (\S+)/m.exec(opened.table)?.[1];
  let call = 0;
  let answer = 0;
  const done = await runProgram(
    {
      ...opened,
      session: {
        run: async (said, options) => {
          const given = { logical_session_ref: ref, program: said, ...options };
          call += count(callText("plasm_run", given));
          const answered = await opened.session.run(said, options);
          if (answered.fitted?.some(({ rest }) => rest !== undefined) === true)
            throw new Error(`${task.id}: its text leaves rows out`);
          answer += count(answered.text);
          return answered;
        },
      },
    },
    program,
  );
  const right = verdictOn(task.expect(new Date()), done) === "right";
  return { program: count(program), call, answer, right };
}

async function runPeers(
  opened: OpenedPeer,
  task: CheckedTask,
  program: string,
): Promise<
  Omit<DoneTask, "first"> & { readonly right: boolean; readonly operations: readonly string[] }
> {
  const done = await runPeerProgram(opened, program, task.expect(new Date()));
  const call = count(callText("execute", { code: program }));
  return { ...done, program: count(program), call, answer: count(done.text) };
}

/** Runs a side's programs for a task: the first, and where it is not right the one after it, which has to be. */
async function attempted<Done extends { readonly right: boolean }>(
  task: CheckedTask,
  programs: readonly string[],
  run: (program: string) => Promise<Done>,
): Promise<Done & { readonly first: boolean }> {
  for (const [at, program] of programs.entries()) {
    const done = await run(program);
    if (done.right) return { ...done, first: at === 0 };
  }
  throw new Error(`no program does ${task.id}`);
}

function totals(
  { name: world, tasks }: TaskWorld,
  side: string,
  taught: {
    readonly definitions: number;
    readonly learn: number;
    readonly alone: readonly number[];
  },
  done: readonly DoneTask[],
): WorldTokens {
  const { definitions, learn, alone } = taught;
  const worked = done.map(({ call, answer }) => call + answer);
  return {
    world,
    side,
    tasks: tasks.length,
    right_at_first: done.filter(({ first }) => first).length,
    definitions,
    learn,
    programs: spread(done.map(({ program }) => program)),
    calls: spread(done.map(({ call }) => call)),
    answers: spread(done.map(({ answer }) => answer)),
    reads: sum(worked.filter((_, at) => tasks[at]?.kind !== "effect")),
    effects: sum(worked.filter((_, at) => tasks[at]?.kind === "effect")),
    together: definitions + learn + sum(worked),
    learn_alone: spread(alone),
    cold: spread(worked.map((one, at) => definitions + (alone[at] ?? 0) + one)),
  };
}

/** The entities that a task needs, by the operations that codemode's program for it called. */
type Needed = ReadonlyMap<string, readonly string[]>;

async function measurePeer(
  world: TaskWorld,
): Promise<{ readonly tokens: WorldTokens; readonly needed: Needed }> {
  const programs = await sheet(`${world.name}-codemode`);
  const opened = await openPeer(world);
  const searched = async (operations: readonly string[] | "all"): Promise<number> => {
    const code = searchFor(opened.document, operations);
    return count(callText("search", { code })) + count(await opened.peer.call("search", { code }));
  };
  try {
    const done: DoneTask[] = [];
    const alone: number[] = [];
    const needed = new Map<string, readonly string[]>();
    for (const task of world.tasks) {
      const one = await attempted(task, attemptsAt(programs, task), (program) =>
        runPeers(opened, task, program),
      );
      done.push(one);
      alone.push(await searched(one.operations));
      needed.set(task.id, entitiesOf(opened.document, one.operations));
    }
    const definitions = count(opened.peer.definitions);
    const taught = { definitions, learn: await searched("all"), alone };
    return { tokens: totals(world, "codemode", taught, done), needed };
  } finally {
    await opened.close();
  }
}

/** What sessions teach that are opened for no more than one task needs, by the task. */
async function learntAlone(
  world: TaskWorld,
  notation: Notation,
  needed: Needed,
): Promise<readonly number[]> {
  const found = new Map<string, number>();
  const all: number[] = [];
  for (const { id } of world.tasks) {
    const entities = needed.get(id) ?? [];
    const key = entities.join();
    if (!found.has(key)) found.set(key, await learnt({ ...world, entities }, notation));
    all.push(found.get(key) ?? 0);
  }
  return all;
}

async function measureOurs(
  world: TaskWorld,
  notation: Notation,
  needed: Needed,
  sheets: readonly { readonly side: string; readonly programs: AnswerSheet }[],
): Promise<readonly WorldTokens[]> {
  const tools = JSON.stringify(TOOLS.map(({ definition }) => definition));
  const taught = {
    definitions: count(INSTRUCTIONS) + count(tools),
    learn: await learnt(world, notation),
    alone: await learntAlone(world, notation, needed),
  };
  const opened = await openWorld(world, notation);
  try {
    const measured: WorldTokens[] = [];
    for (const { side, programs } of sheets) {
      const done: DoneTask[] = [];
      for (const task of world.tasks) {
        done.push(
          await attempted(task, attemptsAt(programs, task), (program) =>
            runOurs(opened, task, program),
          ),
        );
      }
      measured.push(totals(world, side, taught, done));
    }
    return measured;
  } finally {
    await opened.close();
  }
}

/** All sides of a world, Plasm first. */
export async function measureWorld(world: TaskWorld): Promise<readonly WorldTokens[]> {
  const { name } = world;
  const { tokens, needed } = await measurePeer(world);
  const names = await measureOurs(world, "names", needed, [
    { side: "plasm, names", programs: await sheet(name) },
    { side: "plasm, names, by models", programs: await modelSheet(name, "names") },
  ]);
  const symbols = await measureOurs(world, "symbols", needed, [
    { side: "plasm, symbols, by models", programs: await modelSheet(name, "symbols") },
  ]);
  return [...names, ...symbols, tokens];
}

export async function measureTaskTokens(): Promise<readonly WorldTokens[]> {
  const measured: WorldTokens[] = [];
  for (const world of WORLDS) measured.push(...(await measureWorld(world)));
  return measured;
}

/** The figures side by side, and codemode's divided into Plasm's. */
export function tokensText(measured: readonly WorldTokens[]): string {
  const figures = (one: WorldTokens): readonly number[] => [
    one.definitions,
    one.learn,
    one.programs.sum,
    one.programs.median,
    one.calls.sum,
    one.answers.sum,
    one.reads,
    one.effects,
    one.together,
    one.learn_alone.median,
    one.cold.median,
  ];
  const heads =
    "definitions learn programs median calls answers reads effects together learn-alone cold-median".split(
      " ",
    );
  const row = (cells: readonly (number | string)[], last: string): string =>
    `${cells.map((cell) => String(cell).padStart(12)).join("")}  ${last}`;
  const lines = measured.flatMap((one) => {
    const peer = measured.find((each) => each.world === one.world && each.side === "codemode");
    const own = figures(one);
    const name = `${one.world}, ${one.side}: right at first ${one.right_at_first} of ${one.tasks}`;
    if (peer === undefined || peer === one) return [row(own, name)];
    const beside = figures(peer);
    const ratios = own.map((figure, at) => (figure / (beside[at] ?? 0)).toFixed(3));
    return [row(own, name), row(ratios, "divided by codemode's")];
  });
  return [row(heads, "o200k tokens"), ...lines].join("\n");
}
