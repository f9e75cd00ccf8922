import { open, rename } from "node:fs/promises";
import { dirname } from "node:path";

/** Makes a rename durable; some systems cannot open a directory, there the rename itself must do. */
const syncDirectory = async (directory: string): Promise<void> => {
  if (process.platform === "win32") return;
  const handle = await open(directory, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

/**
 * Replaces a file so that a reader, or a start after a crash, sees the old text or the new one and
 * never a part: temporary file beside it, fsync, rename, fsync of the directory.
 * One writer per file; rejects with the system's error and leaves the old file if any step fails.
 */
export const writeAtomically = async (file: string, text: string): Promise<void> => {
  const temporary = `${file}.tmp`;
  const handle = await open(temporary, "w");
  try {
    await handle.writeFile(text, "utf8");
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(temporary, file);
  await syncDirectory(dirname(file));
};
