import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { registeredCatalog, type CatalogRegistry, type RegisteredCatalog } from "@plasm/agent-core";
import { type CatalogOrigin, catalogOrigin, type HasCredential } from "@plasm/agent-core/internal";
import {
  loadCatalogDirectory,
  type LoadOptions,
  type RegistryEntry,
  type SkippedCatalog,
} from "@plasm/runtime";
import { HostStartError } from "./environment.ts";

/** What the catalogs of directories are opened with. */
export interface DirectoryOpening {
  readonly loading: LoadOptions;
  readonly hasCredential: HasCredential;
  /** is given all that are there, before their credentials are looked for */
  readonly keep: (entries: readonly RegistryEntry[]) => void;
}

/** The catalogs on offer, and those that are not, with why. */
export interface Catalogs {
  readonly registry: CatalogRegistry;
  /** in the order of the configured directories, then by id */
  readonly entries: readonly RegistryEntry[];
  readonly ready: ReadonlySet<string>;
  readonly skipped: readonly string[];
}

/** Why a catalog did not load: its first fault with file and line, and how many more there are. */
function skippedText({ entryId, path, diagnostics }: SkippedCatalog): string {
  const [first] = diagnostics.filter(({ severity }) => severity === "error");
  if (first === undefined) return `${entryId}: not loaded from ${path}`;
  const { file, line, column, code, message } = first;
  if (file === path) return message;
  const place = basename(path) === file ? path : join(path, file);
  const more = diagnostics.length > 1 ? ` (+${diagnostics.length - 1} more)` : "";
  return `${entryId}: not loaded, ${place}:${line}:${column} ${code} ${message}${more}`;
}

/** Whether a path is a directory, or lies in it. */
const under = (path: string, directory: string): boolean =>
  path === directory || path.startsWith(join(directory, "/"));

/** Entries in the order of the directories they are from; each under the first that holds it. */
const inOrder = (entries: readonly RegistryEntry[], directories: readonly string[]) =>
  entries
    .map((entry) => ({ entry, at: directories.findIndex((one) => under(entry.path, one)) }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ entry }) => entry);

/** A directory that was asked for by name must be good: what is in a directory of many need not be. */
function refuseBroken(directories: readonly string[], skipped: readonly SkippedCatalog[]): void {
  const broken = skipped.find(({ path }) => directories.includes(path));
  if (broken !== undefined) throw new HostStartError(`--catalogs: ${skippedText(broken)}`);
}

function refuseNone(entries: readonly RegistryEntry[], skipped: readonly SkippedCatalog[]): void {
  const [first] = skipped;
  if (entries.length > 0 || first === undefined) return;
  throw new HostStartError(`--catalogs: none could be loaded. ${skippedText(first)}`);
}

/**
 * Loads the catalogs of directories, each a catalog itself or a directory of catalogs (RUN-180).
 * Throws HostStartError for a directory that is missing or is itself a broken catalog, and when
 * there are catalogs and none of them loads. What was compiled before is taken from the cache, where there is one.
 */
export async function loadCatalogs(
  directories: readonly string[],
  { loading, hasCredential, keep }: DirectoryOpening,
): Promise<Catalogs> {
  const found = await loadCatalogDirectory(directories, loading);
  refuseBroken(directories, found.skipped);
  const entries = inOrder(found.list(), directories);
  refuseNone(entries, found.skipped);
  keep(entries);
  const ready = new Set<string>();
  const registered = new Map<string, RegisteredCatalog>();
  for (const entry of entries) {
    const { catalog } = entry;
    if (hasCredential(catalog)) ready.add(catalog.entryId);
    registered.set(catalog.entryId, ofDirectory(entry, hasCredential));
  }
  const registry = {
    list: () => [...registered.values()],
    get: (entryId: string) => registered.get(entryId),
  };
  return { registry, entries, ready, skipped: found.skipped.map(skippedText) };
}

/** A catalog with what was kept beside it of its import, which is read when somebody asks. */
const ofDirectory = (entry: RegistryEntry, hasCredential: HasCredential): RegisteredCatalog => ({
  ...registeredCatalog(entry, hasCredential),
  origin: () => readOrigin(entry.path),
});

/** What loading the directories once more changed of what new sessions get (RUN-180). */
export interface Reloaded {
  /** catalogs with another content than before, or that are new */
  readonly changed: readonly { readonly entryId: string; readonly digest: string }[];
  /** ids of those that are gone */
  readonly removed: readonly string[];
  /** those that do not load now; `kept`: the last valid version stays on offer */
  readonly broken: readonly {
    readonly entryId: string;
    readonly path: string;
    readonly kept: boolean;
  }[];
}

/** The catalogs of directories, as they were when these were loaded last. */
export interface ReloadableCatalogs {
  readonly registry: CatalogRegistry;
  /** Loads all of them again; what is on offer changes at once, or not at all. */
  reload(): Promise<Reloaded>;
}

type Entries = ReadonlyMap<string, RegistryEntry>;

const byId = (entries: readonly RegistryEntry[]): Map<string, RegistryEntry> =>
  new Map(entries.map((entry) => [entry.catalog.entryId, entry]));

function difference(before: Entries, after: Entries): Pick<Reloaded, "changed" | "removed"> {
  const changed = [...after.values()]
    .map(({ catalog }) => catalog)
    .filter(({ entryId, digest }) => before.get(entryId)?.catalog.digest !== digest)
    .map(({ entryId, digest }) => ({ entryId, digest }));
  return { changed, removed: [...before.keys()].filter((entryId) => !after.has(entryId)) };
}

/** Catalogs of directories that can be loaded again while they are on offer. */
export function reloadableCatalogs(
  directories: readonly string[],
  first: Catalogs,
  { loading, hasCredential, keep }: DirectoryOpening,
): ReloadableCatalogs {
  const registered = (entry: RegistryEntry) => ofDirectory(entry, hasCredential);
  let entries = byId(first.entries);
  let offered = new Map([...entries].map(([entryId, entry]) => [entryId, registered(entry)]));
  return {
    registry: {
      list: () => [...offered.values()],
      get: (entryId) => offered.get(entryId),
    },
    async reload() {
      const found = await loadCatalogDirectory(directories, loading);
      const next = byId(found.list());
      const broken = found.skipped.map(({ entryId, path }) => {
        const good = [...entries.values()].filter(
          (entry) => entry.catalog.entryId === entryId || under(entry.path, path),
        );
        const stay = good.filter(({ catalog }) => !next.has(catalog.entryId));
        for (const entry of stay) next.set(entry.catalog.entryId, entry);
        return { entryId, path, kept: stay.length > 0 };
      });
      const changes = difference(entries, next);
      entries = next;
      keep([...next.values()]);
      offered = new Map([...next].map(([entryId, entry]) => [entryId, registered(entry)]));
      return { ...changes, broken };
    },
  };
}

/** The file that an import keeps beside a catalog (`plasm catalog init`). */
const RECORD = "import.json";

/** Returns what a catalog was made of, as its import kept it; null where nothing was kept, or nothing that can be read. */
export async function readOrigin(directory: string): Promise<CatalogOrigin | null> {
  try {
    return catalogOrigin(JSON.parse(await readFile(join(directory, RECORD), "utf8")));
  } catch {
    return null;
  }
}
