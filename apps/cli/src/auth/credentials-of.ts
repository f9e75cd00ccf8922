import { userInfo } from "node:os";
import { resolve } from "node:path";
import type { CredentialFiles } from "@plasm/runtime";
import type { CliContext } from "../cli-context.ts";
import { failedError } from "../cli-error.ts";
import { defaultDataDirectory } from "../serve/data-directory.ts";

/** The stored credentials of a data directory. */
export interface StoredIn {
  readonly dataDir: string;
  readonly files: CredentialFiles;
}

/** Opens those of the data directory named, or of the usual one. */
export async function credentialsOf(cli: CliContext, data: string | undefined): Promise<StoredIn> {
  // Loaded on demand: no other command that talks to a server needs the runtime.
  const { openCredentialFiles } = await import("@plasm/runtime");
  const dataDir = resolve(cli.cwd, data ?? defaultDataDirectory(cli.env));
  return { dataDir, files: openCredentialFiles(dataDir, () => Date.now()) };
}

/** Who changes a credential, for the audit. */
export function changer(): string {
  try {
    return userInfo().username;
  } catch {
    return "unknown";
  }
}

const isErrno = (thrown: unknown): thrown is NodeJS.ErrnoException => thrown instanceof Error;

/** Does something with stored credentials; what the file system refuses is told by its code. */
export async function withFiles<T>({ dataDir }: StoredIn, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    const what = isErrno(thrown) ? (thrown.code ?? thrown.message) : "unknown";
    throw failedError(`The credentials in ${dataDir} cannot be used (${what}).`, thrown);
  }
}
