import { type Command, InvalidArgumentError, Option } from "commander";
import type { CliContext } from "../cli-context.ts";
import { EXIT, usageError } from "../cli-error.ts";
import { followRun } from "../follow/follow-run.ts";
import { untilStopped } from "../follow/stopping.ts";
import { printWhole } from "../follow/whole-answer.ts";
import { type ProgramSource, readProgram } from "./read-input.ts";
import {
  type Accept,
  type ServerAnswer,
  type ServerClient,
  sessionRoute,
} from "../server/server-client.ts";
import { openWorkspace, readCurrentSession } from "../workspace/workspace.ts";
import { giveOutput, openOutput } from "../workspace/outputs.ts";

const FORMATS = { text: "text/plain", json: "application/json", ndjson: "application/x-ndjson" };
const ENDINGS = { text: "txt", json: "json", ndjson: "ndjson" } as const;

/** How a program is to run, and its answer to be shown. */
export interface RunChoices extends ProgramSource {
  readonly mode: "plan" | "explain" | "run";
  readonly wait?: boolean;
  readonly force: boolean;
  readonly commit?: string;
  readonly format: keyof typeof FORMATS;
  readonly maxRows: number;
}

/** The handle of a program that waits for an operation and does nothing else. */
const waitedFor = (program: string | null): string | null =>
  /^\s*wait\(\s*([\w-]+)\s*\)\s*$/.exec(program ?? "")?.[1] ?? null;

/**
 * What `wait` is on the wire (OPS-34). A run that is waited for is accepted all the same, and followed: so
 * it has a handle, its progress shows, and a broken connection ends nothing.
 */
function waitOf(program: string | null, { mode, wait }: RunChoices): { readonly wait?: boolean } {
  if (wait === undefined) return {};
  return { wait: wait && (mode !== "run" || waitedFor(program) !== null) };
}

/** The arguments as the server takes them (OPS-34); without a program the ref says what runs (OPS-3). */
const bodyOf = (program: string | null, options: RunChoices) => ({
  ...(program === null ? {} : { program }),
  mode: options.mode,
  ...waitOf(program, options),
  ...(options.force ? { force: true } : {}),
  ...(options.commit === undefined ? {} : { plan_commit_ref: options.commit }),
});

/** What Ctrl-C leaves open while a call is under way (OPS-11). */
const stoppedText = ({ commit }: RunChoices): string => {
  const how =
    commit === undefined
      ? "Nothing that needs review was begun, but by --force."
      : `The run stops before its next effect, or goes on by itself; the same command again tells what was done under ${commit}, and repeats nothing.`;
  return `plasm: interrupted. ${how}`;
};

/** The handle of an operation that an answer accepted: the end of its place (OPS-13). */
function acceptedIn({ headers }: ServerAnswer): string | null {
  const [, handle] = /\/operations\/([^/?#]+)$/.exec(headers.get("location") ?? "") ?? [];
  return handle === undefined ? null : decodeURIComponent(handle);
}

/** Whether a run that goes on by itself is waited for: always, unless its handle is asked for. */
const isFollowed = ({ wait }: RunChoices): boolean => wait ?? true;

/** A continuation that says how many rows it wants: it is whole with those. */
const isCounted = (program: string | null): boolean =>
  /^\s*page\(.*\blimit\s*=/.test(program ?? "");

/** A session on its server, and how its answers are wanted. */
interface Asked {
  readonly client: ServerClient;
  readonly session: string;
  readonly accept: Accept;
  /** a saved program and its arguments, in place of a program of the session; the answer says which session it has */
  readonly saved?: { readonly path: string; readonly values: Readonly<Record<string, string>> };
}

/** An answer, and the session that it is of. */
interface Answered {
  readonly answer: ServerAnswer;
  readonly session: string;
}

async function answered(
  cli: CliContext,
  { client, session, accept, saved }: Asked,
  program: string | null,
  options: RunChoices,
): Promise<Answered> {
  const follow = async (of: string, handle: string): Promise<Answered> => ({
    answer: await followRun(cli, { client, session: of, handle, accept }),
    session: of,
  });
  const waited = waitedFor(program);
  if (waited !== null && options.mode === "run" && isFollowed(options))
    return follow(session, waited);
  const body = bodyOf(program, options);
  const answer = await untilStopped(
    cli,
    () => stoppedText(options),
    (signal) =>
      saved === undefined
        ? client.post(session, body, accept, signal)
        : client.post(saved.path, { ...body, arguments: saved.values }, accept, signal),
  );
  const of = answer.headers.get("x-plasm-session") ?? session;
  const accepted = acceptedIn(answer);
  return accepted === null || !isFollowed(options) ? { answer, session: of } : follow(of, accepted);
}

/** Shows an answer in text, cut to a budget; ends with 4 where a result is partial. */
async function giveText(
  cli: CliContext,
  directory: string,
  name: string,
  { text, headers }: ServerAnswer,
): Promise<void> {
  await giveOutput(cli, directory, name, text);
  const partial = headers.get("x-plasm-partial");
  if (partial === null) return;
  cli.remark(`plasm: a result is partial: ${partial}`);
  cli.endWith(EXIT.partial);
}

async function run(cli: CliContext, options: RunChoices): Promise<void> {
  const { directory, client } = await openWorkspace(cli);
  const current = await readCurrentSession(directory, client.url);
  if (current === null) {
    throw usageError(
      `There is no session on ${client.url} yet. Open one: plasm context -i INTENT API:ENTITY...`,
    );
  }
  const { mode, commit, format } = options;
  const program = await readProgram(cli, options, mode === "run" && commit !== undefined);
  const accept = FORMATS[format] as Accept;
  await show(cli, directory, { client, session: sessionRoute(current), accept }, program, options);
}

/** Runs a saved program with arguments, as `run` runs one of a session. */
export async function runSaved(
  cli: CliContext,
  name: string,
  values: Readonly<Record<string, string>>,
  options: RunChoices,
): Promise<void> {
  const { directory, client } = await openWorkspace(cli);
  const saved = { path: `/v1/programs/${encodeURIComponent(name)}/run`, values };
  const accept = FORMATS[options.format] as Accept;
  await show(cli, directory, { client, session: "", accept, saved }, null, options);
}

async function show(
  cli: CliContext,
  directory: string,
  asked: Asked,
  program: string | null,
  options: RunChoices,
): Promise<void> {
  const { format, mode, maxRows } = options;
  const { answer: first, session } = await answered(cli, asked, program, options);
  const { client, accept } = asked;
  const name = `${mode}.${ENDINGS[format]}`;
  if (format === "text" || mode === "plan") return giveText(cli, directory, name, first);
  const output = openOutput(cli, directory, name);
  const page: RunChoices = { mode: "run", force: false, format, maxRows };
  try {
    await printWhole(cli, {
      format,
      first,
      handle: acceptedIn(first) ?? waitedFor(program),
      maxRows: isCounted(program) ? null : maxRows,
      page: async (next) => (await answered(cli, { client, session, accept }, next, page)).answer,
      output,
    });
  } finally {
    await output.close();
  }
}

/** An option that may be given once. */
function once(text: string, before: string | undefined): string {
  if (before === undefined) return text;
  throw new InvalidArgumentError("It is given twice.");
}

/** RUN-130: what a run may read at most, unless the server is told otherwise. */
const ROWS_OF_A_RUN = 10_000;

function wholeNumber(text: string): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= 1 && Number.isSafeInteger(number)) return number;
  throw new InvalidArgumentError("It is a whole number from 1 on.");
}

function yesOrNo(text: string): boolean {
  if (text === "true" || text === "false") return text === "true";
  throw new InvalidArgumentError("It is true or false.");
}

const HELP = `
Examples:
  $ plasm run --mode plan -e 'ENTITY.limit(3)'
  $ plasm run -e 'ENTITY.limit(3)' --format ndjson
  $ plasm run --mode plan -e 'ENTITY("ID").METHOD(ARGUMENT="VALUE")'
  $ plasm run --commit pc1

A program that changes something, or is certain to read much, needs review. Its plan shows every effect with its
target and arguments, and a ref pcN. Without the ref the program ends with exit code 3 and nothing is
sent; --commit pcN runs what was planned, without the program, too, and once: sent again, it answers
what the first run answered. --force runs without review. A run that fails (1) says what was done, what is in doubt and what was not
started; never repeat what was done.

A long run goes on by itself, with a handle. Its progress shows on stderr until its results are there; on a
terminal Ctrl-C asks whether to cancel it or to leave it running. With --wait=false the handle is the
answer. A handle is a program: -e 'wait(s0_o1)', -e 'cancel(s0_o1)', -e 'page(s0_pg1)'

--format json and ndjson have every row: pages are read until there are none, or until --max-rows. Where
rows are missing all the same, stderr says why, and the exit code is 4.`;

/** Adds what says how a program is to run, and its answer to be shown. */
export const withRunOptions = (command: Command): Command =>
  command
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
      "run what was planned: the pcN of its plan; the program can be left out",
      once,
    )
    .addOption(
      new Option("--format <format>", "ndjson has one line for each row")
        .choices(Object.keys(FORMATS))
        .default("text"),
    )
    .addOption(
      new Option("--max-rows <n>", "of json and ndjson: rows after which no further page is read")
        .argParser(wholeNumber)
        .default(ROWS_OF_A_RUN),
    );

/** `plasm run`: plans or runs a program in the current session (SURF-20, OPS-34). */
export function addRun(program: Command, cli: CliContext): void {
  const command = program
    .command("run")
    .description(
      "Plan, explain or run a program in the current session: of -e, of -f, from stdin, or of a plan.",
    )
    .addOption(
      new Option("-e, --program <text>", "the program itself").conflicts("file").argParser(once),
    )
    .option("-f, --file <path>", "a file that holds it", once);
  withRunOptions(command)
    .addHelpText("after", HELP)
    .action((options: RunChoices) => run(cli, options));
}
