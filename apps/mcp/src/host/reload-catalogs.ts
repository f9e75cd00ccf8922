import { registeredCatalog, type CatalogRegistry } from "@plasm/agent-core";
import { loadCatalogDirectory, type RegistryEntry } from "@plasm/runtime";
import { type Catalogs, type DirectoryOpening, under } from "./load-catalogs.ts";

/** What loading the directories once more changed of what new sessions get (RUN-180). */
export interface Reloaded {
  /** catalogs with another content than before, or that are new */
  readonly changed: readonly { readonly entryId: string; readonly digest: string }[];
  /** ids of those that are gone */
  readonly removed: readonly string[];
  /** those that do not load now: what was good last stays on offer, where there was any */
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
  const registered = (entry: RegistryEntry) => registeredCatalog(entry, hasCredential);
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
