import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import type { CliContext } from "../cli-context.ts";
import { usageError } from "../cli-error.ts";

/** A key that is never kept: where it is set, and whose it is. */
export interface TypedKeySource {
  readonly setting: string;
  /** such as `an operator` */
  readonly whose: string;
}

/** Decides on plans that wait (OPS-36). */
export const OPERATOR: TypedKeySource = { setting: "PLASM_OPERATOR_KEY", whose: "an operator" };

/** Imports catalogs (SURF-16). */
export const ADMINISTRATOR: TypedKeySource = {
  setting: "PLASM_ADMIN_KEY",
  whose: "an administrator",
};

/**
 * A key from the environment, or typed unseen. It is never kept, and the key of the workspace is never sent
 * in its place (OPS-36). Throws CliError.
 */
export async function typedKey(
  cli: CliContext,
  { setting, whose }: TypedKeySource,
): Promise<string> {
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

/** What a secret is typed into, and where it is asked for. */
interface Terminal {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
}

/** Takes what a line editor echoes, and shows none of it. */
const silent = (): Writable => new Writable({ write: (_chunk, _encoding, done) => done() });

/** Asks for a line without showing what is typed; null if none is given. */
export function askSecret(question: string, { input, output }: Terminal): Promise<string | null> {
  const lines = createInterface({ input, output: silent(), terminal: true });
  // Only now does the terminal show nothing of what is typed.
  output.write(question);
  return new Promise((resolve) => {
    lines.once("line", (line) => {
      resolve(line);
      lines.close();
    });
    // Ctrl-C and Ctrl-D end it without a line.
    lines.once("SIGINT", () => lines.close());
    lines.once("close", () => {
      output.write("\n");
      resolve(null);
    });
  });
}
