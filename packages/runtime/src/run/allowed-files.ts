import { createHash } from "node:crypto";
import { constants, type Stats } from "node:fs";
import { type FileHandle, open, realpath, stat } from "node:fs/promises";
import { basename, resolve, sep } from "node:path";
import { FILE_SETTINGS, type FileRules } from "../limits/limits.ts";

/** Why a file that a program names is not sent. */
export interface FileRefusal {
  readonly problem: string;
  readonly fix: string;
}

/** A file of this machine that a deployment lets programs send (VAL-07). */
export interface LocalFile {
  readonly size: number;
  readonly fileName: string;
  /** by the ending of its name; empty where that says nothing */
  readonly mimeType: string;
  /** Its bytes, as long as it is the file that was looked at. Throws RefusedFileError where it is another by then. */
  read(): AsyncIterable<Uint8Array>;
}

/** What keeps a file from being read that was looked at before. */
export class RefusedFileError extends Error implements FileRefusal {
  override readonly name = "RefusedFileError";
  readonly fix: string;
  constructor({ problem, fix }: FileRefusal) {
    super(problem);
    this.fix = fix;
  }
  get problem(): string {
    return this.message;
  }
}

/** Whether a named file is one of another machine, which is fetched. */
export const isFetched = (name: string): boolean => /^https?:\/\//i.test(name);

/** Whether a named file is one that a session holds. */
export const isSessionFile = (name: string): boolean => name.startsWith("plasm://");

const shown = (name: string): string => JSON.stringify(name.slice(0, 200));

/** One and the same for all that lies outside, be it there or not. */
function outside(path: string, { directories = [] }: FileRules): FileRefusal {
  const setting = FILE_SETTINGS.directories;
  if (directories.length === 0) {
    return {
      problem: `${shown(path)} is not sent: no directory is allowed, so that programs send no files of this machine.`,
      fix: `ask whoever runs this server to set ${setting} to the directories whose files may be sent`,
    };
  }
  return {
    problem: `${shown(path)} is not sent: it is in none of the allowed directories, or leads out of them.`,
    fix: `name a file in ${directories.join(", ")}; ${setting} says which directories are allowed`,
  };
}

function unreadable(path: string, error: unknown): FileRefusal {
  const code = (error as NodeJS.ErrnoException | null)?.code ?? "unknown";
  const isGone = code === "ENOENT" || code === "ENOTDIR";
  return {
    problem: isGone
      ? `There is no file ${shown(path)}.`
      : `${shown(path)} cannot be read (${code}).`,
    fix: isGone ? "check its path" : "ask whoever runs this server to let it read the file",
  };
}

const isInside = (path: string, directory: string): boolean =>
  path.startsWith(directory.endsWith(sep) ? directory : directory + sep);

async function realOrNull(path: string): Promise<string | null> {
  try {
    return await realpath(path);
  } catch {
    return null;
  }
}

/** Where a path leads, symbolic links followed, if that is in an allowed directory. */
async function allowedPath(path: string, rules: FileRules): Promise<string | FileRefusal> {
  const { directories = [] } = rules;
  const whole = resolve(path);
  const real = await Promise.all(directories.map(realOrNull));
  const known = [...directories.map((one) => resolve(one)), ...real.filter((one) => one !== null)];
  // What lies outside is not looked for, so that nobody learns what is there.
  if (!known.some((directory) => isInside(whole, directory))) return outside(path, rules);
  try {
    const led = await realpath(whole);
    return real.some((directory) => directory !== null && isInside(led, directory))
      ? led
      : outside(path, rules);
  } catch (error) {
    return unreadable(path, error);
  }
}

function refused(path: string, found: Stats, { maxBytes }: FileRules): FileRefusal | null {
  if (!found.isFile()) {
    return { problem: `${shown(path)} is no regular file.`, fix: "name a file" };
  }
  if (found.size <= maxBytes) return null;
  return {
    problem: `${shown(path)} has ${found.size} bytes; a file has at most ${maxBytes}.`,
    fix: `send a smaller file; ${FILE_SETTINGS.maxBytes} sets the limit`,
  };
}

const CHUNK = 256 * 1024;
/** A named pipe would wait for its writer, and a link that was put there since is not followed. */
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

async function opened(path: string, rules: FileRules): Promise<FileHandle> {
  const real = await allowedPath(path, rules);
  if (typeof real !== "string") throw new RefusedFileError(real);
  let handle: FileHandle | null = null;
  try {
    handle = await open(real, FLAGS);
    const [held, standing] = [await handle.stat(), await stat(real)];
    const problem = refused(path, held, rules);
    if (problem !== null) throw new RefusedFileError(problem);
    // A directory on the way may have become a link since.
    const again = await allowedPath(path, rules);
    if (again === real && held.ino === standing.ino && held.dev === standing.dev) return handle;
    throw new RefusedFileError(outside(path, rules));
  } catch (error) {
    await handle?.close();
    throw error instanceof RefusedFileError ? error : new RefusedFileError(unreadable(path, error));
  }
}

async function* contentOf(path: string, rules: FileRules): AsyncGenerator<Uint8Array> {
  const handle = await opened(path, rules);
  try {
    let left = rules.maxBytes;
    for (;;) {
      const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(CHUNK), 0, CHUNK, null);
      if (bytesRead === 0) return;
      left -= bytesRead;
      if (left < 0) {
        const { size } = await handle.stat();
        const problem = `${shown(path)} grew to ${size} bytes; a file has at most ${rules.maxBytes}.`;
        throw new RefusedFileError({ problem, fix: "send it when nobody writes to it" });
      }
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}

/** A file of this machine by its absolute path, or why it is not sent (VAL-07). */
export async function localFile(rules: FileRules, path: string): Promise<LocalFile | FileRefusal> {
  try {
    const handle = await opened(path, rules);
    const { size } = await handle.stat();
    await handle.close();
    // Few servers are let to send files: it is loaded with the first.
    const { lookup } = await import("mrmime");
    return {
      size,
      fileName: basename(path),
      mimeType: lookup(path) ?? "",
      read: () => contentOf(path, rules),
    };
  } catch (error) {
    if (error instanceof RefusedFileError) return { problem: error.problem, fix: error.fix };
    throw error;
  }
}

/** The address of a file that programs may have fetched, or why it is not (VAL-09). */
export function fetchedAddress({ origins = [] }: FileRules, name: string): URL | FileRefusal {
  const setting = FILE_SETTINGS.origins;
  const url = URL.canParse(name) ? new URL(name) : null;
  if (url === null || url.username !== "" || url.password !== "") {
    return {
      problem: `${shown(name)} is no http(s) address without user and password.`,
      fix: "correct it",
    };
  }
  url.hash = "";
  if (origins.includes(url.origin)) return url;
  if (origins.length === 0) {
    return {
      problem: `${shown(name)} is not fetched: no origin is allowed, so that programs have no files fetched.`,
      fix: `ask whoever runs this server to set ${setting} to the origins from which files may be fetched`,
    };
  }
  return {
    problem: `${shown(name)} is not fetched: ${url.origin} is not allowed.`,
    fix: `name a file of ${origins.join(", ")}; ${setting} says which origins are allowed`,
  };
}

/** What is known of a named file before anything is sent: the content of a path, none of an address (VAL-08). */
export async function fileFacts(
  rules: FileRules,
  name: string,
): Promise<
  { readonly content: { readonly sha256: string; readonly size: number } | null } | FileRefusal
> {
  if (isFetched(name)) {
    const address = fetchedAddress(rules, name);
    return address instanceof URL ? { content: null } : address;
  }
  const file = await localFile(rules, name);
  if ("problem" in file) return file;
  const hash = createHash("sha256");
  let size = 0;
  try {
    for await (const piece of file.read()) {
      hash.update(piece);
      size += piece.length;
    }
  } catch (error) {
    if (error instanceof RefusedFileError) return { problem: error.problem, fix: error.fix };
    throw error;
  }
  return { content: { sha256: hash.digest("hex"), size } };
}
