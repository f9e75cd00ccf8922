import type { Reloaded } from "@plasm/host";
import { validateCatalogs } from "../validate/validate-catalogs.ts";
import { validText } from "../validate/validation-text.ts";
import { watchDirectories } from "./watch-directories.ts";

/** What is watched, and who is told. */
export interface ReloadOptions {
  /** absolute paths, each of a catalog or of a directory of catalogs */
  readonly directories: readonly string[];
  readonly reload: () => Promise<Reloaded>;
  readonly say: (text: string) => void;
  /** what went wrong in watching itself */
  readonly warn: (what: string, cause: unknown) => void;
}

/** Editors write two files, and some of them each twice: one moment is waited for more. */
const SETTLE_MS = 60;

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, SETTLE_MS));

/** What `plasm catalog validate` says of a catalog; of what is gone, that. */
const faultsOf = async (path: string): Promise<string> =>
  validateCatalogs([{ given: path, path }], false).then(
    (found) => validText(found.filter(({ valid }) => !valid)),
    (thrown: unknown) => (thrown instanceof Error ? thrown.message : String(thrown)),
  );

/** The lines on what a reload changed. */
async function linesOf({ changed, removed, broken }: Reloaded): Promise<readonly string[]> {
  const loaded = changed.map(
    ({ entryId, digest }) =>
      `plasm: ${entryId} is loaded again, ${digest}: new sessions get it, open ones keep what they were taught`,
  );
  const gone = removed.map((entryId) => `plasm: ${entryId} is gone: no new session gets it`);
  const faulty = broken.map(async ({ entryId, path, kept }) => {
    const state = kept ? "what was good last stays on offer" : "it is not on offer";
    return `${await faultsOf(path)}\nplasm: ${entryId} does not load: ${state}`;
  });
  return [...loaded, ...gone, ...(await Promise.all(faulty))];
}

/**
 * Loads catalogs again when their files change, until it is closed; one reload at a time, and another after it
 * where anything changed meanwhile (RUN-180). What did not change what there is to say is not said again.
 */
export async function reloadOnChange(options: ReloadOptions): Promise<{ close(): Promise<void> }> {
  const { directories, reload, say, warn } = options;
  let [dirty, closed, said] = [false, false, ""];
  let running: Promise<void> | null = null;
  const once = async (): Promise<void> => {
    await pause();
    dirty = false;
    // A directory that came may have got its files before it was watched.
    if (await watched.renew()) dirty = true;
    const lines = (await linesOf(await reload())).join("\n");
    if (lines !== said && lines !== "") say(lines);
    said = lines;
  };
  const run = async (): Promise<void> => {
    while (dirty && !closed) {
      await once().catch((thrown: unknown) => warn("catalogs could not be loaded again", thrown));
    }
    running = null;
  };
  const changed = (): void => {
    dirty = true;
    if (!closed) running ??= run();
  };
  const watched = await watchDirectories(directories, changed);
  return {
    close: async () => {
      closed = true;
      watched.close();
      await running;
    },
  };
}
