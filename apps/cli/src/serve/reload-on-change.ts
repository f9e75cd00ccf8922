import { type FSWatcher, watch } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Reloaded } from "@plasm/host";
import { validateCatalogs, validText } from "../validate-catalogs.ts";

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

/** Directories that are watched, as long as it is not closed. */
interface WatchedDirectories {
  /** Watches what there is now: directories come and go. Whether any came. */
  renew(): Promise<boolean>;
  close(): void;
}

type Concerns = (name: string) => boolean;

/** A directory to watch, told from another in its place by its inode, and which names in it matter. */
interface Place {
  readonly inode: number;
  readonly concerns: Concerns;
}

/** Files of catalogs, and what may be directories of them. */
const ofCatalogs: Concerns = (name) => name.endsWith(".yaml") || !name.includes(".");

const inodeOf = (path: string): Promise<number | null> =>
  stat(path).then(
    (found) => (found.isDirectory() ? found.ino : null),
    () => null,
  );

const namesIn = (path: string): Promise<readonly string[]> => readdir(path).catch(() => []);

/**
 * Where files of a catalog lie: the directory that was named, and the directories in it. It is directories that
 * are watched, since editors put another file in the place of one; the one above tells when that happens to the whole.
 */
async function placesOf(path: string): Promise<ReadonlyMap<string, Place>> {
  const places = new Map<string, Place>();
  const add = async (directory: string, concerns: Concerns): Promise<void> => {
    const inode = await inodeOf(directory);
    if (inode !== null) places.set(directory, { inode, concerns });
  };
  await add(dirname(path), (name) => name === basename(path));
  await add(path, ofCatalogs);
  if (!places.has(path)) return places;
  const inner = (await namesIn(path)).filter((name) => !/^\.|^node_modules$/.test(name));
  await Promise.all(inner.map((name) => add(join(path, name), ofCatalogs)));
  return places;
}

/** The places of all; one that several name is looked at for each of them. */
async function allPlaces(directories: readonly string[]): Promise<ReadonlyMap<string, Place>> {
  const all = new Map<string, Place>();
  for (const found of await Promise.all(directories.map(placesOf))) {
    for (const [path, place] of found) {
      const before = all.get(path)?.concerns;
      const concerns: Concerns = (name) => place.concerns(name) || before?.(name) === true;
      all.set(path, { inode: place.inode, concerns });
    }
  }
  return all;
}

/** Tells of changes in the catalogs of these directories; `changed` may be called more often than they change. */
async function watchDirectories(
  directories: readonly string[],
  changed: () => void,
): Promise<WatchedDirectories> {
  const watchers = new Map<string, { readonly inode: number; readonly watcher: FSWatcher }>();
  const drop = (path: string): void => {
    watchers.get(path)?.watcher.close();
    watchers.delete(path);
  };
  const add = (path: string, { inode, concerns }: Place): boolean => {
    try {
      const watcher = watch(path, (_event, name) => {
        if (name === null || concerns(name)) changed();
      });
      // One that is gone: the directory above it tells that, too.
      watcher.on("error", () => drop(path));
      watchers.set(path, { inode, watcher });
      return true;
    } catch {
      return false;
    }
  };
  const renew = async (): Promise<boolean> => {
    const wanted = await allPlaces(directories);
    for (const [path, { inode }] of watchers) {
      if (wanted.get(path)?.inode !== inode) drop(path);
    }
    const fresh = [...wanted].filter(([path]) => !watchers.has(path));
    return fresh.map(([path, place]) => add(path, place)).includes(true);
  };
  await renew();
  return {
    renew,
    close: () => {
      for (const path of watchers.keys()) drop(path);
    },
  };
}
