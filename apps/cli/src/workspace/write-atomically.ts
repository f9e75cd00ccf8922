import { randomBytes } from "node:crypto";
import { mkdir, open, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

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
