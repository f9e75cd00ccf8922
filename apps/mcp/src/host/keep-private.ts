import { chmod, lstat, readdir } from "node:fs/promises";
import { join } from "node:path";

/** What others of the machine may do to a file, in its mode. */
const OTHERS = 0o077;
const OWNER_FILE = 0o600;
const OWNER_DIRECTORY = 0o700;

/** What Plasm keeps in a data directory that is nobody else's; the rest of the directory is not its own. */
const STORE = ["plasm.db", "plasm.db-wal", "plasm.db-shm"];
const DIRECTORIES = ["credentials", "compiled", "spill"];

const octal = (mode: number): string => `0${(mode & 0o777).toString(8)}`;

/** Takes a file from all users but its owner; tells if it had to, or could not. */
async function keepOne(path: string): Promise<readonly string[]> {
  const found = await lstat(path).catch(() => null);
  if (found === null || (!found.isFile() && !found.isDirectory())) return [];
  if ((found.mode & OTHERS) === 0) return [];
  const own = found.isDirectory() ? OWNER_DIRECTORY : OWNER_FILE;
  const was = `${path} could be used by other users of this machine (mode ${octal(found.mode)})`;
  try {
    await chmod(path, own);
    return [`${was}; it is ${octal(own)} now. Change the credentials in it if they may be known.`];
  } catch {
    return [`${was}, and that cannot be changed: as its owner, chmod ${octal(own)} ${path}`];
  }
}

/**
 * Takes the store and the credentials of a data directory from all users but their owner, as they were
 * made; gives a remark on each that was open to others. A directory that came from elsewhere keeps its
 * own mode: it may hold more than Plasm's files.
 */
export async function keepPrivate(dataDir: string): Promise<readonly string[]> {
  if (process.platform === "win32") return [];
  const directory = await lstat(dataDir).catch(() => null);
  // Nobody else gets to what is in it.
  if (directory === null || (directory.mode & OTHERS) === 0) return [];
  const credentials = join(dataDir, "credentials");
  const names = await readdir(credentials).catch(() => []);
  const paths = [
    ...[...STORE, ...DIRECTORIES].map((name) => join(dataDir, name)),
    ...names.map((name) => join(credentials, name)),
  ];
  return (await Promise.all(paths.map(keepOne))).flat();
}
