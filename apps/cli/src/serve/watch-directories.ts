import { watch, type FSWatcher } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/** Directories that are watched, as long as it is not closed. */
export interface WatchedDirectories {
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
export async function watchDirectories(
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
