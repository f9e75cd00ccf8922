import { mkdir, open, readFile, rename } from "node:fs/promises";
import { dirname } from "node:path";
import { StartError } from "../start-error.ts";
import { JsonStore } from "./json-store.ts";

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
const writeAtomically = async (file: string, text: string): Promise<void> => {
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

interface JsonFileOptions<Data> {
  readonly file: string;
  /** The first data, the same at every call. */
  readonly seed: () => Data;
  /** Whether what a file holds is data of this version. */
  readonly accepts: (value: unknown) => value is Data;
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ENOENT";

const describe = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

const readStored = async <Data>(options: JsonFileOptions<Data>): Promise<Data | undefined> => {
  let value: unknown;
  try {
    value = JSON.parse(await readFile(options.file, "utf8"));
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw new StartError(
      `Cannot read ${options.file}: ${describe(error)}. Mend it, or move it away to begin anew.`,
    );
  }
  if (options.accepts(value)) return value;
  throw new StartError(
    `${options.file} is not data of this version. Move it away to begin anew with fresh data.`,
  );
};

/** Reads the file, or seeds it if there is none. Throws StartError if neither can be done. */
export async function openJsonFile<Data>(options: JsonFileOptions<Data>): Promise<JsonStore<Data>> {
  const { file, seed } = options;
  const stored = await readStored(options);
  const keep = (data: Data) => writeAtomically(file, `${JSON.stringify(data, null, 1)}\n`);
  const store = new JsonStore({ data: stored ?? seed(), seed, keep });
  if (stored !== undefined) return store;
  try {
    await mkdir(dirname(file), { recursive: true });
    await store.reset();
  } catch (error) {
    throw new StartError(
      `Cannot write ${file}: ${describe(error)}. Choose another directory with --data.`,
    );
  }
  return store;
}
