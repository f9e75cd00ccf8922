import { askSecret } from "./ask-secret.ts";
import type { CliContext } from "../cli-context.ts";
import { usageError } from "../cli-error.ts";

/** A key that is never kept: where it is set, and whose it is. */
export interface KeySource {
  readonly setting: string;
  /** such as `an operator` */
  readonly whose: string;
}

/** Decides on plans that wait (OPS-36). */
export const OPERATOR: KeySource = { setting: "PLASM_OPERATOR_KEY", whose: "an operator" };

/** Imports catalogs (SURF-16). */
export const ADMINISTRATOR: KeySource = { setting: "PLASM_ADMIN_KEY", whose: "an administrator" };

/**
 * A key from the environment, or typed unseen. It is never kept, and the key of the workspace is never sent
 * in its place (OPS-36). Throws CliError.
 */
export async function typedKey(cli: CliContext, { setting, whose }: KeySource): Promise<string> {
  const set = cli.env[setting]?.trim() ?? "";
  if (set !== "") return set;
  if (!cli.attended) {
    throw usageError(`${setting} is not set, and nobody is here to type ${whose}'s key.`);
  }
  const streams = { input: process.stdin, output: process.stderr };
  const question = `Key of ${whose}: `;
  const typed = (await askSecret(question, streams))?.trim() ?? "";
  if (typed !== "") return typed;
  throw usageError(`No key was given: type it, or set ${setting}.`);
}
