import type { Catalog, OpenedCatalog } from "@plasm/core";
import type { CatalogTexts, CredentialScope } from "@plasm/runtime";
import type { CatalogRegistry, RegisteredCatalog } from "../ports.ts";
import type { ImportedCatalog } from "../records/sessions.ts";
import type { StoreOps } from "../store-port.ts";

/** Imports are offered to all tenants, as far as their policies let them. */
export const NO_SCOPE = "";

/** What catalogs on offer are made of. */
export interface LiveRegistryDeps {
  readonly store: StoreOps;
  /** the catalogs of directories and packages (RUN-180) */
  readonly files: CatalogRegistry;
  /** opens a catalog end to end, as loading does */
  readonly open: (texts: CatalogTexts) => Promise<OpenedCatalog>;
  readonly hasCredential: HasCredential;
  /** what an operator should know of: imports that are not on offer */
  readonly warn: (what: string, cause: unknown) => void;
}

/** The catalogs on offer, those that were imported among them. */
export interface LiveRegistry extends CatalogRegistry {
  /** Takes up what any process on the store has imported since the last time; all of it at once (RUN-180). */
  refresh(): Promise<void>;
}

/** Where the import of an entry id is kept: a digest alone knows none (RUN-170), and equal texts have several. */
export const importKey = (entryId: string, digest: string): string => `${entryId} ${digest}`;

/** An import as it was kept; stores of before have it by its digest alone, for whichever entry id came first. */
export async function readImport(
  store: StoreOps,
  entryId: string,
  digest: string,
): Promise<ImportedCatalog | null> {
  const found =
    (await store.get("importedCatalog", NO_SCOPE, importKey(entryId, digest))) ??
    (await store.get("importedCatalog", NO_SCOPE, digest));
  return found === null ? null : { ...found.value, entryId };
}

/** What is on offer of one entry id that is there twice; null where neither can be told to be newer (RUN-181). */
function newerOf(a: RegisteredCatalog, b: RegisteredCatalog): RegisteredCatalog | null {
  const [first, second] = [a.catalog, b.catalog];
  if (first.digest === second.digest) return a;
  if (first.cgs.version === second.cgs.version) return null;
  return first.cgs.version > second.cgs.version ? a : b;
}

const conflictText = (entryId: string): string =>
  `${entryId} is not on offer: what was imported and what a directory has differ, with the same version; raise the version of the newer one`;

/** The catalogs of directories and those that administrators imported, as one registry (RUN-180, RUN-181). */
export function liveRegistry(deps: LiveRegistryDeps): LiveRegistry {
  const { store, files, open, hasCredential, warn } = deps;
  /** key of an import → what it opens to; null for one that this release of Plasm, or this process, cannot use */
  const opened = new Map<string, RegisteredCatalog | null>();
  const warned = new Set<string>();
  let offered = new Map(files.list().map((one) => [one.catalog.entryId, one]));

  const warnOnce = (what: string): void => {
    if (warned.has(what)) return;
    warned.add(what);
    warn(what, null);
  };

  async function read(entryId: string, digest: string): Promise<RegisteredCatalog | null> {
    const content = await readImport(store, entryId, digest);
    if (content === null) return null;
    const { domain, mappings } = content;
    const { catalog } = await open(content);
    if (catalog === null) {
      warnOnce(`${entryId} was imported and cannot be used here: it has faults`);
      return null;
    }
    // Read when it is asked for: the same texts may be imported again, with what they were made of.
    const origin = async () => (await readImport(store, entryId, digest))?.origin ?? null;
    return registeredCatalog({ catalog, domain, mappings, origin }, hasCredential);
  }

  async function importOf(entryId: string, digest: string): Promise<RegisteredCatalog | null> {
    const key = importKey(entryId, digest);
    const known = opened.get(key);
    if (known !== undefined) return known;
    const found = await read(entryId, digest);
    opened.set(key, found);
    return found;
  }

  return {
    list: () => [...offered.values()],
    get: (entryId) => offered.get(entryId),
    refresh: async () => {
      const next = new Map(files.list().map((one) => [one.catalog.entryId, one]));
      for (const { value } of await store.list("offer", NO_SCOPE, "")) {
        const imported = await importOf(value.entryId, value.digest);
        if (imported === null) continue;
        const own = next.get(value.entryId);
        const newer = own === undefined ? imported : newerOf(own, imported);
        if (newer !== null) next.set(value.entryId, newer);
        else {
          warnOnce(conflictText(value.entryId));
          next.delete(value.entryId);
        }
      }
      offered = next;
    },
  };
}

/** Whether a credential is at hand for a catalog's calls, or none is needed. */
export type HasCredential = (catalog: Catalog, scope?: CredentialScope) => boolean;

/** A catalog on offer, with the text of its files (RUN-183). */
export const registeredCatalog = (
  {
    catalog,
    domain,
    mappings,
    origin,
  }: Pick<RegisteredCatalog, "catalog" | "domain" | "mappings" | "origin">,
  hasCredential: HasCredential,
): RegisteredCatalog => ({
  catalog,
  domain,
  mappings,
  ...(origin === undefined ? {} : { origin }),
  // Asked each time: one may be stored while the server runs.
  get credentials() {
    return hasCredential(catalog);
  },
  credentialsFor: (scope) => hasCredential(catalog, scope),
});
