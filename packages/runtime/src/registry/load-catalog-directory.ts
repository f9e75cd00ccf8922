import type { CompiledCache } from "./compiled-cache.ts";
import { type CatalogPlace, findCatalogs } from "./find-catalogs.ts";
import { openCatalogPlace } from "./open-catalog-place.ts";
import { fileDiagnostic } from "./read-catalog-file.ts";
import {
  createRegistry,
  type Registry,
  type RegistryEntry,
  type SkippedCatalog,
} from "./registry.ts";

/** What catalogs are loaded with. */
export interface LoadOptions {
  /** names of the registered functions (RUN-105) */
  readonly functions?: readonly string[];
  /** catalogs compiled before */
  readonly cache?: CompiledCache;
}

type Loaded = { readonly entry: RegistryEntry } | { readonly skipped: SkippedCatalog };

async function loadPlace(place: CatalogPlace, options: LoadOptions): Promise<Loaded> {
  const { entryId, path } = place;
  const opened = await openCatalogPlace(place, options);
  const { catalog, diagnostics, domain, mappings } = opened;
  if (catalog === null || domain === null) return { skipped: { entryId, path, diagnostics } };
  return { entry: { catalog, path, domain, mappings, diagnostics } };
}

function conflict(a: RegistryEntry, b: RegistryEntry): SkippedCatalog {
  const { entryId, cgs } = a.catalog;
  const message =
    `${entryId} is there twice with version ${cgs.version} and different content, ` +
    `at ${a.path} and ${b.path}; raise the version of the newer one or remove the other.`;
  return { entryId, path: b.path, diagnostics: [fileDiagnostic("RUN181", "domain.yaml", message)] };
}

/** One entry an id: the higher version; equal ones are one; a clash is an error for the id (RUN-181). */
function settle(entries: readonly RegistryEntry[]): Loaded {
  const versions = entries.map(({ catalog }) => catalog.cgs.version);
  const highest = entries.filter(({ catalog }) => catalog.cgs.version === Math.max(...versions));
  const [first] = highest;
  if (first === undefined) throw new Error("an entry id without catalog");
  const other = highest.find(({ catalog }) => catalog.digest !== first.catalog.digest);
  return other === undefined ? { entry: first } : { skipped: conflict(first, other) };
}

/**
 * Loads the catalogs of configured paths, each a catalog itself or a directory of catalogs
 * (RUN-180 to RUN-182). An invalid one is skipped whole and listed with its diagnostics.
 */
export async function loadCatalogDirectory(
  paths: readonly string[],
  options: LoadOptions = {},
): Promise<Registry> {
  const skipped: SkippedCatalog[] = [];
  const loaded: RegistryEntry[] = [];
  for (const path of paths) {
    const places = await findCatalogs(path);
    if (places === null) {
      const missing = fileDiagnostic("CAT010", path, `${path} does not exist.`);
      skipped.push({ entryId: path, path, diagnostics: [missing] });
    }
    for (const place of places ?? []) {
      const one = await loadPlace(place, options);
      if ("entry" in one) loaded.push(one.entry);
      else skipped.push(one.skipped);
    }
  }
  const entries: RegistryEntry[] = [];
  for (const id of new Set(loaded.map(({ catalog }) => catalog.entryId))) {
    const one = settle(loaded.filter(({ catalog }) => catalog.entryId === id));
    if ("entry" in one) entries.push(one.entry);
    else skipped.push(one.skipped);
  }
  return createRegistry(entries, skipped);
}
