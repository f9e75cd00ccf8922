import { mkdir, open, readFile, rename } from "node:fs/promises";
import { dirname } from "node:path";
import { StartError } from "../start-error.ts";

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

/** What a step makes of the data, and what it answers. */
export interface Change<Data, Result> {
  readonly data: Data;
  readonly result: Result;
}

export interface JsonStoreOptions<Data> {
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

const readStored = async <Data>(options: JsonStoreOptions<Data>): Promise<Data | undefined> => {
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

/** One JSON file as data in memory: changes happen one after the other and are durable when answered. */
export class JsonStore<Data> {
  readonly #options: JsonStoreOptions<Data>;
  #data: Data;
  #last: Promise<unknown> = Promise.resolve();

  private constructor(options: JsonStoreOptions<Data>, data: Data) {
    this.#options = options;
    this.#data = data;
  }

  /** Reads the file, or seeds it if there is none. Throws StartError if neither can be done. */
  static async open<Data>(options: JsonStoreOptions<Data>): Promise<JsonStore<Data>> {
    const stored = await readStored(options);
    const store = new JsonStore(options, stored ?? options.seed());
    if (stored !== undefined) return store;
    try {
      await mkdir(dirname(options.file), { recursive: true });
      await store.reset();
    } catch (error) {
      throw new StartError(
        `Cannot write ${options.file}: ${describe(error)}. Choose another directory with --data.`,
      );
    }
    return store;
  }

  get data(): Data {
    return this.#data;
  }

  /** Applies a step to the newest data; if the step throws or the write fails, nothing has changed. */
  change<Result>(step: (data: Data) => Change<Data, Result>): Promise<Result> {
    const turn = this.#last.then(async () => {
      const { data, result } = step(this.#data);
      await writeAtomically(this.#options.file, `${JSON.stringify(data, null, 1)}\n`);
      this.#data = data;
      return result;
    });
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  /** Puts the first data back. */
  reset(): Promise<void> {
    return this.change(() => ({ data: this.#options.seed(), result: undefined }));
  }

  /** Resolves when every change begun so far has ended. */
  async settled(): Promise<void> {
    await this.#last;
  }
}
