import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { CliContext } from "../cli-context.ts";
import { usageError } from "../cli-error.ts";
import type { LastSearch } from "../workspace/workspace.ts";

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

/** An entity as a command line names it; its server finds out whose it is where that is not said. */
export interface NamedSeed {
  readonly api?: string;
  readonly entity: string;
  /** one of several accounts with the API (RUN-129) */
  readonly account?: string;
}

/** What the last search found under that name; else the server knows it, or nobody (SURF-21). */
function searched(entity: string, search: LastSearch | null): NamedSeed {
  const found = (search?.options ?? []).filter((option) => option.entity === entity);
  const [only = { entity }, other] = found;
  if (other === undefined) return only;
  const choice = found.map((option) => `${option.api}:${option.entity}`).join(" or ");
  throw usageError(`The last search found ${entity} several times. Write ${choice}.`);
}

/**
 * The seeds a command line names: `API:ENTITY`, `API@ACCOUNT:ENTITY`, or `ENTITY` alone, by which the one is meant that the last
 * search found, else the one that any catalog has (SURF-21). Throws CliError.
 */
export function readSeedArguments(
  names: readonly string[],
  search: LastSearch | null,
): readonly NamedSeed[] {
  return names.map((name) => {
    if (!name.includes(":") && name.trim() !== "") return searched(name, search);
    const [, api, account, entity] = /^([^:@]+)(?:@([^:]+))?:(.+)$/s.exec(name) ?? [];
    if (api !== undefined && entity !== undefined)
      return { api, entity, ...(account === undefined ? {} : { account }) };
    throw usageError(`${name} is not API:ENTITY, as plasm search GOAL prints them.`);
  });
}
