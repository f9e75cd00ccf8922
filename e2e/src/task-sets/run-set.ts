import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { parse } from "yaml";
import { type Script, type ScriptedAnswer, startScriptedModel } from "./scripted-model.ts";

const file = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const PLASM = file("../../../apps/cli/dist/plasm.mjs");
const TASKS = file("../../../apps/cli/tasks");

/** A trial, as transcripts of `plasm eval` have it. */
export interface SetTrial {
  readonly task: string;
  readonly form: string;
  readonly attempts: readonly { readonly verdict: string; readonly told: string }[];
  readonly tokens: { readonly in: number; readonly out: number };
  readonly turns: readonly { readonly text: string }[];
  readonly fault: string | null;
}

export interface SetRun {
  readonly trials: readonly SetTrial[];
  readonly sums: readonly object[];
  readonly label: string;
}

interface Task {
  readonly id: string;
  readonly goal: string;
}

const readSet = async (set: string): Promise<readonly Task[]> =>
  (parse(await readFile(join(TASKS, `${set}.yaml`), "utf8")) as { tasks: readonly Task[] }).tasks;

/** The ids of a set's tasks, in order. */
export const tasksOf = async (set: string): Promise<readonly string[]> =>
  (await readSet(set)).map(({ id }) => id);

/** What is said of each task of a set; throws for one of which nothing is. */
async function scriptsOf(set: string): Promise<readonly Script[]> {
  const answers = parse(await readFile(file(`./${set}.yaml`), "utf8")) as Readonly<
    Record<string, ScriptedAnswer>
  >;
  return (await readSet(set)).map(({ id, goal }) => {
    const answer = answers[id];
    if (answer === undefined) throw new Error(`nothing is said of the task ${id} of ${set}`);
    return { goal, answer };
  });
}

/** Runs `plasm eval SET` in every form, its model a script that has right answers, or wrong ones. Throws what it says where it fails. */
export async function runSet(
  set: string,
  which: "right" | "wrong",
  { args = [], env = {} }: { args?: readonly string[]; env?: Record<string, string> } = {},
): Promise<SetRun> {
  const out = await mkdtemp(join(tmpdir(), "plasm-set-"));
  const model = await startScriptedModel(await scriptsOf(set), which === "wrong");
  try {
    const asked = ["eval", set, "--model", "script", "--endpoint", model.url];
    const forms = ["--notation", "both", "--tools", "--code", "--corrections", "0", "--out", out];
    await promisify(execFile)(process.execPath, [PLASM, ...asked, ...forms, ...args], {
      env: { ...process.env, ...env },
      maxBuffer: 100_000_000,
    });
    const { label, sums } = JSON.parse(await readFile(join(out, "report.json"), "utf8")) as Omit<
      SetRun,
      "trials"
    >;
    const lines = (await readFile(join(out, "transcripts.jsonl"), "utf8")).trim().split("\n");
    return { label, sums, trials: lines.map((line) => JSON.parse(line) as SetTrial) };
  } finally {
    model.close();
    await rm(out, { recursive: true, force: true });
  }
}

/** What came of each trial, as `task · form: verdict`. */
export const verdictLines = ({ trials }: SetRun): readonly string[] =>
  trials.map(
    ({ task, form, attempts, fault }) =>
      `${task} · ${form}: ${attempts.at(-1)?.verdict ?? fault ?? "missing"}`,
  );

export const FORMS = ["symbols", "names", "tools", "code"] as const;
