import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Notation } from "@plasm/core";
import { writeResult } from "../src/results.ts";
import { heldReads } from "./held-reads.ts";
import { measureTaskTokens, tokensText } from "./peer-tokens.ts";
import { promptOf } from "./prompt.ts";
import { type AnswerSheet, runAnswers } from "./run-answers.ts";
import { worldNamed, WORLDS } from "./worlds.ts";

const RESULTS = join(import.meta.dirname, "..", "results");

const NOTATIONS: readonly Notation[] = ["names", "symbols"];

const USAGE = `tasks prompts DIRECTORY                       writes what a model is given, by world and notation
tasks run WORLD names|symbols ANSWERS [OUT]   runs answers; writes OUT, else bench/results/tasks-WORLD-NOTATION.json
tasks held WORLD ANSWERS                      counts the reads that review holds back
tasks tokens                                  counts tokens beside codemode's; writes bench/results/tasks-tokens.json
ANSWERS is JSON, from the id of a task to a program, or to a list of it and the program after one correction.`;

async function writePrompts(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true });
  for (const world of WORLDS) {
    for (const notation of NOTATIONS) {
      const file = join(directory, `${world.name}-${notation}.txt`);
      await writeFile(file, await promptOf(world, notation));
      console.log(file);
    }
  }
}

async function run(name: string, notation: Notation, file: string, out?: string): Promise<void> {
  const answers = JSON.parse(await readFile(file, "utf8")) as AnswerSheet;
  const report = await runAnswers(worldNamed(name), notation, answers);
  for (const { id, ask, attempts } of report.answers) {
    const verdicts = attempts.map(({ verdict }) => verdict).join(" → ") || "missing";
    console.log(`${id} ${verdicts}${verdicts === "right" ? "" : ` · ${ask}`}`);
    for (const { program, told } of attempts) {
      if (told !== undefined) console.log(`  ${program}\n    ${told}`.replaceAll("\n", "\n    "));
    }
  }
  const target = out ?? join(RESULTS, `tasks-${name}-${notation}.json`);
  await writeFile(target, `${JSON.stringify(report, null, 2)}\n`);
  console.log(
    `first ${JSON.stringify(report.first)}\nlast  ${JSON.stringify(report.last)}\n${target}`,
  );
}

async function held(name: string, file: string): Promise<void> {
  const answers = JSON.parse(await readFile(file, "utf8")) as AnswerSheet;
  console.log(JSON.stringify(await heldReads(worldNamed(name), answers)));
}

/** The code that decides how many tokens our side takes, and all that is of the peer. */
const PATHS = [
  "packages/core/src",
  "packages/runtime/src",
  "packages/agent-core/src",
  "bench/tasks",
];

async function tokens(): Promise<void> {
  const measured = await measureTaskTokens();
  console.log(tokensText(measured));
  console.log(writeResult("tasks-tokens", PATHS, { task_tokens: measured }));
}

const [command, first, notation, file, out] = process.argv.slice(2);
const known = NOTATIONS.find((one) => one === notation);
if (command === "prompts" && first !== undefined) await writePrompts(first);
else if (command === "tokens") await tokens();
else if (command === "held" && first !== undefined && notation !== undefined) {
  await held(first, notation);
} else if (command === "run" && first !== undefined && known !== undefined && file !== undefined) {
  await run(first, known, file, out);
} else {
  console.error(USAGE);
  process.exitCode = 2;
}
