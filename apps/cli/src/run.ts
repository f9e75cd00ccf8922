import { Command, CommanderError, Help, type Option } from "commander";
import type { CliContext, Environment, ProcessContext } from "./cli-context.ts";
import { CliError, EXIT, type ExitCode } from "./cli-error.ts";
import { addApprovals } from "./commands/approvals.ts";
import { addOperations } from "./commands/operations.ts";
import { addAudit } from "./commands/audit.ts";
import { addAuth } from "./commands/auth.ts";
import { addCatalog } from "./commands/catalog.ts";
import { addCompletion } from "./completion/completion.ts";
import { addContext } from "./commands/context.ts";
import { addDoctor } from "./commands/doctor.ts";
import { addEval } from "./commands/eval.ts";
import { addInit } from "./commands/init.ts";
import { addBackup } from "./commands/backup.ts";
import { addKeys } from "./commands/keys.ts";
import { addDo, addPrograms } from "./commands/programs.ts";
import { addRun } from "./commands/run.ts";
import { addSearch } from "./commands/search.ts";
import { addPolicy } from "./commands/policy.ts";
import { addServe } from "./commands/serve-command.ts";
import { addTry } from "./commands/try.ts";
import { StoppedError } from "./follow/stopping.ts";
import { ServerProblemError } from "./server/problem-error.ts";
import { CLI_VERSION } from "./version.ts";

const HELP = `
Something to look at: plasm try
Three steps, with a server running (plasm try, or plasm serve --catalogs DIR):
  1. plasm search "GOAL"                       finds the entities, API:ENTITY, of a goal
  2. plasm context --new API:ENTITY            opens a session and prints its table
  3. plasm run -e 'ENTITY.limit(5)'            runs a program; --mode plan says what it would do
A program that changes something, or is certain to read much, ends with 3, its effects and a ref pcN;
the same program with --commit pcN runs, once.

Each command says more: plasm run --help
Exit codes: 0 done, 1 failed, 2 usage, 3 review or approval required, 4 partial,
5 session lost.`;

/** What help says of an option; that a switch is off unless it is given, everybody knows. */
const optionDescription = (option: Option): string =>
  option.defaultValue === false ? option.description : new Help().optionDescription(option);

/** Has every command end its errors with the line that leads to its own help. */
function leadToHelp(command: Command, path: string): void {
  command.showHelpAfterError(`${path} --help shows how.`);
  for (const inner of command.commands) leadToHelp(inner, `${path} ${inner.name()}`);
}

function program(cli: CliContext): Command {
  const command = new Command("plasm")
    .description("Small programs against APIs, for agents.")
    .version(CLI_VERSION)
    .addHelpText("after", HELP)
    .configureHelp({ optionDescription })
    .configureOutput({ writeOut: cli.out, writeErr: cli.remark })
    .exitOverride();
  for (const add of [
    addInit,
    addDoctor,
    addSearch,
    addContext,
    addRun,
    addDo,
    addPrograms,
    addApprovals,
    addOperations,
    addAudit,
    addEval,
    addCatalog,
    addAuth,
    addKeys,
    addBackup,
    addPolicy,
    addServe,
    addTry,
    addCompletion,
  ]) {
    add(command, cli);
  }
  leadToHelp(command, command.name());
  return command;
}

/** A defect is told in one line; its place only to those who ask for it. */
function defectText(thrown: unknown, env: Environment): string {
  const stack = thrown instanceof Error ? thrown.stack : undefined;
  if (env["PLASM_LOG"] === "debug" && stack !== undefined) return stack;
  const what = thrown instanceof Error ? thrown.message : String(thrown);
  return `plasm: a defect of plasm itself: ${what} (PLASM_LOG=debug shows where)`;
}

/** Says why a command failed, on stderr; gives the exit code. */
function failure(thrown: unknown, cli: CliContext): ExitCode {
  // Commander has said what is wrong by now, or has printed what it was asked for.
  if (thrown instanceof CommanderError) return thrown.exitCode === 0 ? EXIT.done : EXIT.usage;
  if (thrown instanceof StoppedError) {
    if (thrown.message !== "") cli.remark(thrown.message);
    return thrown.exitCode;
  }
  if (thrown instanceof CliError) {
    cli.remark(thrown instanceof ServerProblemError ? thrown.message : `plasm: ${thrown.message}`);
    return thrown.exitCode;
  }
  cli.remark(defectText(thrown, cli.env));
  return EXIT.failed;
}

/** Runs the command line given without its program; resolves to the exit code (SURF-22). */
export async function run(args: readonly string[], own: ProcessContext): Promise<ExitCode> {
  let code: ExitCode = EXIT.done;
  const cli: CliContext = { ...own, endWith: (given) => void (code = given) };
  try {
    await program(cli).parseAsync([...args], { from: "user" });
    return code;
  } catch (thrown) {
    return failure(thrown, cli);
  }
}
