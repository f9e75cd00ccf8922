import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { parseEnv } from "node:util";
import type { Environment } from "../cli-context.ts";
import { failedError } from "../cli-error.ts";

const isErrno = (thrown: unknown): thrown is NodeJS.ErrnoException => thrown instanceof Error;

const OTHERS = 0o077;

/** An environment, and what its files give reason to say. */
export interface ReadEnvironment {
  readonly env: Environment;
  readonly remarks: readonly string[];
}

async function readText(path: string, required: boolean): Promise<string | null> {
  try {
    return await readFile(path, "utf8");
  } catch (thrown) {
    const code = (isErrno(thrown) && thrown.code) || "unknown";
    // Whether the directory can be used at all is found out by who writes to it.
    if (!required && (code === "ENOENT" || code === "ENOTDIR")) return null;
    throw failedError(`${path} cannot be read (${code}).`, thrown);
  }
}

async function readEnvFile(path: string, required: boolean): Promise<ReadEnvironment> {
  const text = await readText(path, required);
  if (text === null) return { env: {}, remarks: [] };
  const open = ((await stat(path)).mode & OTHERS) !== 0;
  const remarks = open ? [`${path} can be read by others: chmod 600 ${path}`] : [];
  return { env: parseEnv(text), remarks };
}

/**
 * The environment a server works with: the process's own, then the file named, then `.env` of the data
 * directory; the first that has a variable has its value. Throws CliError for a file that cannot be read.
 */
export async function readEnvironment(
  own: Environment,
  dataDir: string,
  envFile: string | undefined,
): Promise<ReadEnvironment> {
  const standing = await readEnvFile(join(dataDir, ".env"), false);
  const named = envFile === undefined ? null : await readEnvFile(envFile, true);
  return {
    env: { ...standing.env, ...named?.env, ...own },
    remarks: [...(named?.remarks ?? []), ...standing.remarks],
  };
}
