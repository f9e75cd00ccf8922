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

type Reading = Pick<CliContext, "cwd" | "readStdin">;

/** The program of -e, of -f, or else of stdin; null where a terminal is all there is. Throws CliError. */
async function givenProgram(
  cli: Reading,
  { program, file }: ProgramSource,
): Promise<string | null> {
  if (program !== undefined) return program;
  if (file !== undefined) return fileText(cli.cwd, file);
  const bytes = await cli.readStdin();
  return bytes === null ? null : textOf(bytes, "stdin");
}

const nothingGiven = (besides: string) =>
  usageError(`There is no program: -e PROGRAM, -f FILE, or on stdin${besides}.`);

/** The program of -e, of -f, or else of stdin. Throws CliError. */
export async function readProgram(cli: Reading, source: ProgramSource): Promise<string> {
  const program = await givenProgram(cli, source);
  if (program === null) throw nothingGiven("");
  return program;
}

/**
 * The same where a plan's ref may stand for it (OPS-3): null where the ref is all there is, at a terminal or
 * with nothing on stdin. Throws CliError.
 */
export async function readProgramOrRef(
  cli: Reading,
  source: ProgramSource,
  commit: string | undefined,
): Promise<string | null> {
  const program = await givenProgram(cli, source);
  if (commit === undefined && program === null) throw nothingGiven("; or --commit pcN of a plan");
  const nothing = program === "" && source.program === undefined && source.file === undefined;
  return commit !== undefined && nothing ? null : program;
}
