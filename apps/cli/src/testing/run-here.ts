import { Command, CommanderError } from "commander";
import type { CliContext, Environment } from "../cli-context.ts";
import { CliError } from "../cli-error.ts";
import { EXIT, type ExitCode } from "../exit-codes.ts";
import type { Ended } from "./spawn-plasm.ts";

export interface Here {
  readonly cwd: string;
  readonly env?: Environment;
  /** what stdin holds */
  readonly input?: string;
}

/** Runs one command in this process: for what needs no process of its own. */
export async function runHere(
  add: (program: Command, cli: CliContext) => void,
  args: readonly string[],
  { cwd, env = {}, input = "" }: Here,
): Promise<Ended> {
  const said = { stdout: "", stderr: "" };
  let code: ExitCode = EXIT.done;
  const cli: CliContext = {
    env,
    cwd,
    out: (text) => void (said.stdout += `${text}\n`),
    remark: (text) => void (said.stderr += `${text}\n`),
    readStdin: () => Promise.resolve(new TextEncoder().encode(input)),
    endWith: (given) => void (code = given),
  };
  const program = new Command("plasm").exitOverride();
  program.configureOutput({ writeOut: cli.out, writeErr: cli.remark });
  add(program, cli);
  try {
    await program.parseAsync([...args], { from: "user" });
  } catch (thrown) {
    if (thrown instanceof CommanderError) return { ...said, code: EXIT.usage };
    if (!(thrown instanceof CliError)) throw thrown;
    cli.remark(thrown.message);
    return { ...said, code: thrown.exitCode };
  }
  return { ...said, code };
}
