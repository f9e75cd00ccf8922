import { InvalidArgumentError, Option, type Command } from "commander";
import type { CliContext } from "../cli-context.ts";
import { usageError } from "../cli-error.ts";
import { EXIT } from "../exit-codes.ts";
import { readProgram, type ProgramSource } from "../program/read-program.ts";
import type { Accept } from "../server/server-client.ts";
import { sessionPath } from "../server/session-path.ts";
import { readSession } from "../workspace/current-session.ts";
import { openWorkspace } from "../workspace/open-workspace.ts";
import { giveOutput } from "../workspace/outputs.ts";

const FORMATS = { text: "text/plain", json: "application/json", ndjson: "application/x-ndjson" };
const ENDINGS = { text: "txt", json: "json", ndjson: "ndjson" } as const;

interface RunOptions extends ProgramSource {
  readonly mode: "plan" | "explain" | "run";
  readonly wait?: boolean;
  readonly force: boolean;
  readonly commit?: string;
  readonly format: keyof typeof FORMATS;
}

/** The arguments as the server takes them (OPS-34). */
const bodyOf = (program: string, { mode, wait, force, commit }: RunOptions) => ({
  program,
  mode,
  ...(wait === undefined ? {} : { wait }),
  ...(force ? { force } : {}),
  ...(commit === undefined ? {} : { plan_commit_ref: commit }),
});

async function run(cli: CliContext, options: RunOptions): Promise<void> {
  const { directory, client } = await openWorkspace(cli);
  const session = await readSession(directory, client.url);
  if (session === null) {
    throw usageError(
      `There is no session on ${client.url} yet. Open one: plasm context -i INTENT API:ENTITY...`,
    );
  }
  const body = bodyOf(await readProgram(cli, options), options);
  const accept = FORMATS[options.format] as Accept;
  const { text, headers } = await told(cli, options, () =>
    client.post(sessionPath(session), body, accept),
  );
  await giveOutput(cli, directory, `${options.mode}.${ENDINGS[options.format]}`, text);
  if (headers.has("x-plasm-partial")) cli.endWith(EXIT.partial);
}

/** 128 + SIGINT's number, as a shell tells it. */
const INTERRUPTED = 130;

/** Waits for an answer; Ctrl-C meanwhile says how to learn what the run has done (OPS-11). */
async function told<Answer>(
  cli: CliContext,
  { commit }: RunOptions,
  call: () => Promise<Answer>,
): Promise<Answer> {
  const interrupt = (): void => {
    const how =
      commit === undefined
        ? "Nothing that needs review was begun, but by --force."
        : `The run stops before its next effect; the same command again tells what was done under ${commit}, and repeats nothing.`;
    cli.remark(`plasm: interrupted. ${how}`);
    process.exit(INTERRUPTED);
  };
  process.once("SIGINT", interrupt);
  try {
    return await call();
  } finally {
    process.removeListener("SIGINT", interrupt);
  }
}

/** An option that may be given once. */
function once(text: string, before: string | undefined): string {
  if (before === undefined) return text;
  throw new InvalidArgumentError("It is given twice.");
}

function yesOrNo(text: string): boolean {
  if (text === "true" || text === "false") return text === "true";
  throw new InvalidArgumentError("It is true or false.");
}

const HELP = `
Examples:
  $ plasm run --mode plan -e 'Boat{state=moored}.limit(3)[id, name]'
  $ plasm run -e 'Boat{state=moored}.limit(3)[id, name]' --format ndjson
  $ plasm run --mode plan -e 'Boat("b1").update(note="painted")'

A program that changes something, or reads much, needs review. Its plan shows every effect with its
target and arguments, and a ref pcN. Without the ref the program ends with exit code 3 and nothing is
sent; with --commit pcN it runs, once: sent again, it answers what the first run answered. --force
runs without review. A run that fails (1) says what was done, what is in doubt and what was not
started; never repeat what was done. A long run answers a handle at once, unless --wait says to wait.
A handle in an answer is a program, too: -e 'wait(s0_o1)', -e 'cancel(s0_o1)', -e 'page(s0_pg1)'`;

/** `plasm run`: plans or runs a program in the current session (SURF-20, OPS-34). */
export function addRun(program: Command, cli: CliContext): void {
  program
    .command("run")
    .description(
      "Plan, explain or run a program in the current session: of -e, of -f, or from stdin.",
    )
    .addOption(
      new Option("-e, --program <text>", "the program itself").conflicts("file").argParser(once),
    )
    .option("-f, --file <path>", "a file that holds it", once)
    .addOption(
      new Option(
        "--mode <mode>",
        "plan says what it would do and cost, and does nothing; explain reads, too, and shows what effects would change",
      )
        .choices(["plan", "explain", "run"])
        .default("run"),
    )
    .addOption(
      new Option("--wait [bool]", "true: until the end; false: answer with a handle")
        .argParser(yesOrNo)
        .preset("true"),
    )
    .addOption(new Option("--force", "run without review, each time it is sent").default(false))
    .option(
      "--commit <ref>",
      "run what was reviewed: the pcN that the plan of this program has",
      once,
    )
    .addOption(
      new Option("--format <format>", "ndjson has one line for each row")
        .choices(Object.keys(FORMATS))
        .default("text"),
    )
    .addHelpText("after", HELP)
    .action((options: RunOptions) => run(cli, options));
}
