import { randomBytes } from "node:crypto";
import { mkdir, open, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

const OWNER_FILE = 0o600;
const OWNER_DIRECTORY = 0o700;

async function writeSynced(path: string, text: string): Promise<void> {
  const file = await open(path, "wx", OWNER_FILE);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Without this a power cut may forget the new name. */
async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, "r");
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

/**
 * Writes a file that only its owner can read, through a temporary name beside it: a reader sees
 * the old text or the new one, also after a crash (SURF-22). Makes missing directories. Throws
 * what the file system throws; then the old text stands.
 */
export async function writeAtomically(path: string, text: string): Promise<void> {
  const directory = dirname(path);
  await mkdir(directory, { recursive: true, mode: OWNER_DIRECTORY });
  const temporary = join(directory, `.${basename(path)}.${randomBytes(6).toString("hex")}.tmp`);
  try {
    await writeSynced(temporary, text);
    await rename(temporary, path);
  } catch (thrown) {
    await rm(temporary, { force: true });
    throw thrown;
  }
  await syncDirectory(directory);
}
