import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { CliContext } from "../cli-context.ts";
import { usageError } from "../cli-error.ts";

/** Where a command line has its program. */
export interface ProgramSource {
  readonly program?: string;
  readonly file?: string;
}

/** Bytes as text, none changed: a byte that is no text would change the program's meaning. */
function textOf(bytes: Uint8Array, what: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw usageError(`${what} is not UTF-8 text.`);
  }
}

async function fileText(cwd: string, file: string): Promise<string> {
  let bytes: Uint8Array;
  try {
    bytes = await readFile(resolve(cwd, file));
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    throw usageError(`${file} cannot be read (${code ?? "unknown"}).`);
  }
  return textOf(bytes, file);
}

/**
 * The program of -e, of -f, or else of stdin; null where a plan's ref stands for it, at a terminal or with
 * nothing on stdin (OPS-3). Throws CliError.
 */
export async function readProgram(
  cli: Pick<CliContext, "cwd" | "readStdin">,
  { program, file }: ProgramSource,
  hasRef: boolean,
): Promise<string | null> {
  if (program !== undefined) return program;
  if (file !== undefined) return fileText(cli.cwd, file);
  const bytes = await cli.readStdin();
  if (bytes !== null && bytes.byteLength > 0) return textOf(bytes, "stdin");
  if (hasRef) return null;
  throw usageError(
    "There is no program: -e PROGRAM, -f FILE, or on stdin; a plan runs by its --commit pcN alone.",
  );
}
