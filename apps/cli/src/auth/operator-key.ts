import { askSecret } from "./ask-secret.ts";
import type { CliContext } from "../cli-context.ts";
import { usageError } from "../cli-error.ts";

const SETTING = "PLASM_OPERATOR_KEY";

/**
 * The key of the operator who decides: from the environment, or typed unseen. It is never kept, and the
 * key of the workspace is never sent in its place (OPS-36). Throws CliError.
 */
export async function operatorKey(cli: CliContext): Promise<string> {
  const set = cli.env[SETTING]?.trim() ?? "";
  if (set !== "") return set;
  if (!process.stdin.isTTY) {
    throw usageError(`${SETTING} is not set, and nobody is here to type an operator's key.`);
  }
  const streams = { input: process.stdin, output: process.stderr };
  const typed = (await askSecret("Operator's key: ", streams))?.trim() ?? "";
  if (typed !== "") return typed;
  throw usageError(`No operator's key was given: type it, or set ${SETTING}.`);
}
