import { mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { randomBytes } from "node:crypto";
import { basename, dirname, join } from "node:path";
import { failedError } from "../cli-error.ts";

const isErrno = (thrown: unknown): thrown is NodeJS.ErrnoException => thrown instanceof Error;

const reason = (thrown: unknown): string =>
  (isErrno(thrown) && (thrown.code ?? thrown.message)) || "unknown";

async function readText(path: string): Promise<string | null> {
  try {
    return await readFile(path, "utf8");
  } catch (thrown) {
    if (isErrno(thrown) && thrown.code === "ENOENT") return null;
    throw failedError(`${path} cannot be read (${reason(thrown)}).`, thrown);
  }
}

/** A file of the workspace: what is in it if it is one of these, null without it. Throws CliError. */
export async function readJsonFile<T>(
  path: string,
  accepts: (value: unknown) => value is T,
): Promise<T | null> {
  const text = await readText(path);
  if (text === null) return null;
  try {
    const value: unknown = JSON.parse(text);
    if (accepts(value)) return value;
  } catch {
    // Said below, as for every other damage.
  }
  throw failedError(`${path} is damaged: remove it, and do again what wrote it.`);
}

/** Writes a file of the workspace. Throws CliError. */
export async function writeFileOf(path: string, text: string): Promise<void> {
  try {
    await writeAtomically(path, text);
  } catch (thrown) {
    const advice = "Choose another workspace with PLASM_WORKSPACE.";
    throw failedError(`${path} cannot be written (${reason(thrown)}). ${advice}`, thrown);
  }
}

export const writeJsonFile = (path: string, value: object): Promise<void> =>
  writeFileOf(path, `${JSON.stringify(value, null, 2)}\n`);

/** Whether a value is a JSON object. */
export const isJsonObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Whether a value is an object whose members of these names are texts. */
export const hasTextMembers = <V, N extends string>(
  value: V,
  names: readonly N[],
): value is V & Readonly<Record<N, string>> =>
  typeof value === "object" &&
  value !== null &&
  names.every((name) => typeof (value as Readonly<Record<string, unknown>>)[name] === "string");

const OWNER_FILE = 0o600;
const OWNER_DIRECTORY = 0o700;

/** Without this a power cut may forget the new name. */
async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, "r");
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

/** A file that comes to be piece by piece: under its name once it is whole. */
export interface AtomicFile {
  write(text: string): Promise<void>;
  /** Gives it its name, in place of what had it. */
  commit(): Promise<void>;
  /** Removes what was written; after `commit` it does nothing. */
  discard(): Promise<void>;
}

/**
 * Opens a file that only its owner can read, under a temporary name beside its own: a reader sees the old text or
 * the new one, also after a crash (SURF-22). Makes missing directories. Everything throws what the file system throws.
 */
export async function openAtomically(path: string): Promise<AtomicFile> {
  const directory = dirname(path);
  await mkdir(directory, { recursive: true, mode: OWNER_DIRECTORY });
  const temporary = join(directory, `.${basename(path)}.${randomBytes(6).toString("hex")}.tmp`);
  const file = await open(temporary, "wx", OWNER_FILE);
  let isOpen = true;
  const close = async (): Promise<void> => {
    if (isOpen) await file.close();
    isOpen = false;
  };
  let isWhole = false;
  return {
    write: (text) => file.appendFile(text),
    commit: async () => {
      await file.sync();
      await close();
      await rename(temporary, path);
      isWhole = true;
      await syncDirectory(directory);
    },
    discard: async () => {
      await close();
      if (!isWhole) await rm(temporary, { force: true });
    },
  };
}

/** Writes a whole file as {@link openAtomically} does; if that fails the old text stands. */
export async function writeAtomically(path: string, text: string): Promise<void> {
  const file = await openAtomically(path);
  try {
    await file.write(text);
    await file.commit();
  } finally {
    await file.discard();
  }
}
