import { appendFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { type Command, InvalidArgumentError, Option } from "commander";
import type { EvalReport, Model, Price, Trial, TrialForm } from "@plasm/eval";
import type { CliContext } from "../cli-context.ts";
import { EXIT, failedError, usageError } from "../cli-error.ts";
import { untilStopped } from "../follow/stopping.ts";
import { CLI_VERSION } from "../version.ts";
import { appended } from "./options.ts";
import { besideProgram } from "./serve.ts";

interface EvalOptions {
  readonly modelCommand: readonly string[];
  readonly model?: string;
  readonly endpoint?: string;
  readonly like: "openai" | "anthropic";
  readonly keyEnv?: string;
  readonly maxTokens: number;
  readonly notation: "symbols" | "names" | "both";
  readonly tools?: true;
  readonly code?: true;
  readonly repeat: number;
  readonly corrections: number;
  readonly only: readonly string[];
  readonly catalogs: readonly string[];
  readonly server: readonly (readonly [api: string, url: string])[];
  readonly price?: Price;
  readonly out?: string;
  readonly against?: string;
  readonly atLeast?: number;
  readonly format: "text" | "json";
}

/** The tasks that come with the program, by what they are called in place of a file. */
const OWN_TASKS = {
  samples: "harbour.yaml",
  github: "github.yaml",
  shop: "shop.yaml",
  redmine: "redmine.yaml",
} as const;

const isOwn = (file: string): file is keyof typeof OWN_TASKS => Object.hasOwn(OWN_TASKS, file);

const ENDPOINTS = {
  openai: { url: "https://api.openai.com/v1", key: "OPENAI_API_KEY" },
  anthropic: { url: "https://api.anthropic.com/v1", key: "ANTHROPIC_API_KEY" },
} as const;

async function modelsOf(cli: CliContext, options: EvalOptions): Promise<readonly Model[]> {
  const { commandModel, endpointModel } = await import("@plasm/eval");
  const commands = options.modelCommand.map((command) => commandModel(command, cli.cwd));
  const { model, like, endpoint, keyEnv, maxTokens } = options;
  if (model === undefined) {
    if (commands.length > 0) return commands;
    throw usageError(
      "Who is to do the tasks? Name a command that reads the prompt on standard input and prints its answer, --model-command COMMAND; or a model behind an endpoint, --model NAME.",
    );
  }
  const usual = ENDPOINTS[like];
  const key = cli.env[keyEnv ?? usual.key];
  if (key === undefined && (keyEnv !== undefined || endpoint === undefined))
    throw usageError(
      `There is no key: set ${keyEnv ?? usual.key}, or name another variable by --key-env.`,
    );
  const [{ outboundFetch }, { proxiesOf }] = await Promise.all([
    import("@plasm/runtime"),
    import("../sources/read-source.ts"),
  ]);
  const outbound = outboundFetch(await proxiesOf(cli.env));
  const url = endpoint ?? usual.url;
  return [...commands, endpointModel({ like, url, model, key, maxTokens, fetch: outbound })];
}

async function readText(path: string, what: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (thrown) {
    const code = (thrown as NodeJS.ErrnoException).code ?? "unknown";
    throw failedError(`${what} ${path} cannot be read (${code}).`, thrown);
  }
}

/** What reports had before there were other forms than notations. */
const inForm = <T extends { readonly form: string }>(one: T): T => ({
  ...one,
  form: one.form ?? (one as { readonly notation?: string }).notation,
});

async function readReport(path: string): Promise<EvalReport> {
  const text = await readText(path, "The earlier report");
  try {
    const report = JSON.parse(text) as Partial<EvalReport>;
    if (Array.isArray(report.sums) && Array.isArray(report.trials)) {
      const { sums, trials } = report as EvalReport;
      return { ...(report as EvalReport), sums: sums.map(inForm), trials: trials.map(inForm) };
    }
  } catch {
    // It is told below.
  }
  throw failedError(
    `${path} is no report of plasm eval: name the report.json of a directory that --out has filled.`,
  );
}

/** The tasks of a file that are asked for. Throws CliError for the id of none. */
async function chosenTasks(path: string, only: readonly string[]) {
  const { readTaskSet } = await import("@plasm/eval");
  const text = await readText(path, "The file of tasks");
  const set = readTaskSet(path, text);
  const unknown = only.find((id) => set.tasks.every((task) => task.id !== id));
  if (unknown !== undefined)
    throw usageError(
      `There is no task ${unknown} in ${path}: there are ${set.tasks.map(({ id }) => id).join(", ")}.`,
    );
  const tasks = set.tasks.filter(({ id }) => only.length === 0 || only.includes(id));
  return { set, tasks, text };
}

/** By what each task is done. */
const formsOf = ({ notation, tools, code }: EvalOptions): readonly TrialForm[] => [
  ...(notation === "both" ? (["symbols", "names"] as const) : [notation]),
  ...(tools === true ? (["tools"] as const) : []),
  ...(code === true ? (["code"] as const) : []),
];

/** A trial as reports have it; every word of it stands in its transcript. */
const reported = ({ turns, ...rest }: Trial): EvalReport["trials"][number] => ({
  ...rest,
  messages: turns.length,
});

async function evaluation(
  cli: CliContext,
  file: string,
  options: EvalOptions,
  signal: AbortSignal,
): Promise<EvalReport> {
  const path = isOwn(file) ? join(besideProgram("tasks"), OWN_TASKS[file]) : resolve(cli.cwd, file);
  const { set, tasks, text } = await chosenTasks(path, options.only);
  const models = await modelsOf(cli, options);
  const [{ tasksDigest, runTrials, sumsOf, verdictsOf }, { openWorld }] = await Promise.all([
    import("@plasm/eval"),
    import("../evaluation/open-world.ts"),
  ]);
  const out = options.out === undefined ? null : resolve(cli.cwd, options.out);
  if (out !== null) await mkdir(out, { recursive: true });
  const transcripts = out === null ? null : join(out, "transcripts.jsonl");
  if (transcripts !== null) await writeFile(transcripts, "");
  const catalogs = options.catalogs.map((one) => resolve(cli.cwd, one));
  const servers = new Map(options.server);
  const world = await openWorld(cli, set, dirname(path), { catalogs, servers });
  const trials: EvalReport["trials"][number][] = [];
  try {
    const forms = formsOf(options);
    const plan = {
      tasks,
      models,
      forms,
      repeats: options.repeat,
      corrections: options.corrections,
    };
    const all = tasks.length * models.length * forms.length * options.repeat;
    for await (const trial of runTrials(world, plan, signal)) {
      trials.push(reported(trial));
      if (transcripts !== null) await appendFile(transcripts, `${JSON.stringify(trial)}\n`);
      cli.remark(
        `${trials.length} of ${all}: ${trial.task} · ${trial.model} · ${trial.form}: ${verdictsOf(trial).last}`,
      );
    }
  } finally {
    await world.close();
  }
  const sums = sumsOf(trials, options.price ?? null);
  const report = { label: set.label, tasks: tasksDigest([text]), plasm: CLI_VERSION, sums, trials };
  if (out !== null)
    await writeFile(join(out, "report.json"), `${JSON.stringify(report, null, 2)}\n`);
  return report;
}

async function runEval(cli: CliContext, file: string, options: EvalOptions): Promise<void> {
  const earlier =
    options.against === undefined ? null : await readReport(resolve(cli.cwd, options.against));
  const { comparisonText, reportText, TaskSetError } = await import("@plasm/eval");
  const report = await untilStopped(
    cli,
    () => "plasm: stopped. What was tried stands in the transcripts of --out.",
    (signal) => evaluation(cli, file, options, signal),
  ).catch((thrown: unknown) => {
    throw thrown instanceof TaskSetError ? usageError(thrown.message) : thrown;
  });
  const texts = [
    options.format === "json" ? JSON.stringify(report, null, 2) : reportText(report),
    ...(earlier === null || options.format === "json" ? [] : [comparisonText(earlier, report)]),
  ];
  cli.out(texts.join("\n\n"));
  const { atLeast } = options;
  const low = report.sums.filter(({ last, trials }) => last.right * 100 < (atLeast ?? 0) * trials);
  if (low.length === 0) return;
  for (const { model, form, last, trials } of low)
    cli.remark(
      `plasm: ${model} · ${form}: ${last.right} of ${trials} right, less than ${atLeast} %`,
    );
  cli.endWith(EXIT.failed);
}

const wholeNumber =
  (least: number, most: number) =>
  (text: string): number => {
    const number = Number(text);
    if (/^\d+$/.test(text) && number >= least && number <= most) return number;
    throw new InvalidArgumentError(`It is a whole number from ${least} to ${most}.`);
  };

function serverOf(
  text: string,
  before: readonly (readonly [string, string])[],
): readonly (readonly [string, string])[] {
  const [, api, url] = /^([\w.-]+)=(https?:\/\/\S+)$/.exec(text) ?? [];
  if (api !== undefined && url !== undefined && URL.canParse(url)) return [...before, [api, url]];
  throw new InvalidArgumentError(
    "It is the id of a catalog and an address, such as redmine=http://127.0.0.1:3000.",
  );
}

function percentage(text: string): number {
  const number = Number(text);
  if (/^\d+(\.\d+)?$/.test(text) && number <= 100) return number;
  throw new InvalidArgumentError("It is a number from 0 to 100.");
}

function price(text: string): Price {
  const [input, output] = text.split(",").map(Number);
  if (/^\d+(\.\d+)?,\d+(\.\d+)?$/.test(text) && input !== undefined && output !== undefined)
    return { in: input, out: output };
  throw new InvalidArgumentError("It is two numbers, such as 3,15.");
}

const HELP = `
Examples:
  $ plasm eval samples --model-command './my-model.sh'
  $ plasm eval github --model-command './my-model.sh' --notation names --tools
  $ plasm eval redmine --server redmine=http://127.0.0.1:3000 --model-command './my-model.sh'
  $ plasm eval tasks.yaml --model MODEL --endpoint http://127.0.0.1:8080/v1 --out results
  $ plasm eval tasks.yaml --model MODEL --notation both --against results/report.json --at-least 90

Each task is asked in a session of its own: the model gets what an agent gets, instructions and table, and the goal, and
answers with one program. That is run without review against the APIs of the file: use APIs that may be changed. What came of it is
right, wrong (silently), partial, refused, or missing where the model gave no answer; a program that was refused or partial
may be corrected. docs/evaluating.md says what files of tasks hold.`;

/** `plasm eval`: has models do tasks, and says how often they come out right and what they cost (SURF-53). */
export function addEval(program: Command, cli: CliContext): void {
  program
    .command("eval")
    .description("Have language models do a file of tasks, and say what came of it.")
    .argument(
      "<file>",
      "the tasks: YAML or JSON; or those that come with it: `samples`, `github`, `shop`, `redmine`",
    )
    .option(
      "--model-command <command>",
      "a model that a shell runs: the prompt on standard input, its answer on standard output (again for several)",
      appended,
      [],
    )
    .option("--model <name>", "a model behind an endpoint")
    .option("--endpoint <url>", "where it is asked (default: that of OpenAI or Anthropic)")
    .addOption(
      new Option("--like <kind>", "how it is asked")
        .choices(["openai", "anthropic"])
        .default("openai"),
    )
    .option(
      "--key-env <name>",
      "the variable that has its key (default: OPENAI_API_KEY or ANTHROPIC_API_KEY)",
    )
    .option("--max-tokens <n>", "tokens of one answer", wholeNumber(1, 1_000_000), 4_000)
    .addOption(
      new Option("--notation <notation>", "what tables call things")
        .choices(["symbols", "names", "both"])
        .default("names"),
    )
    .option(
      "--tools",
      "do each task by one JSON tool an operation, too: what an agent has without Plasm",
    )
    .option(
      "--code",
      "do each task by a JavaScript program over one function an operation, too: what a code mode has",
    )
    .option("--repeat <n>", "how often each task is done", wholeNumber(1, 1_000), 1)
    .option("--corrections <n>", "how often a program may be corrected", wholeNumber(0, 20), 1)
    .option("--only <id>", "this task alone (again for several)", appended, [])
    .option(
      "--catalogs <directory>",
      "catalogs in place of those that the file names (again for several)",
      appended,
      [],
    )
    .option(
      "--server <id=url>",
      "where an API is that runs already, by the id of its catalog (again for several)",
      serverOf,
      [],
    )
    .option("--price <in,out>", "dollars for a million tokens sent, and said", price)
    .option("--out <directory>", "where report.json and transcripts.jsonl are kept")
    .option("--against <report>", "an earlier report.json: what has changed since")
    .option("--at-least <percent>", "exit with 1 where less came out right", percentage)
    .addOption(new Option("--format <format>").choices(["text", "json"]).default("text"))
    .addHelpText("after", HELP)
    .action((file: string, options: EvalOptions) => runEval(cli, file, options));
}
