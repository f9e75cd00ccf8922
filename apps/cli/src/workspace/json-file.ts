import { readFile } from "node:fs/promises";
import { failedError } from "../cli-error.ts";
import { writeAtomically } from "./write-atomically.ts";

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
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Whether a value is an object whose members of these names are texts. */
export const hasTexts = <V, N extends string>(
  value: V,
  names: readonly N[],
): value is V & Readonly<Record<N, string>> =>
  typeof value === "object" &&
  value !== null &&
  names.every((name) => typeof (value as Readonly<Record<string, unknown>>)[name] === "string");
