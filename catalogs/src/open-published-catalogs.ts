import { type LoadOptions, loadCatalogDirectory, type Registry } from "@plasm/runtime";
import { catalogDirectory } from "./catalog-directory.ts";
import { CATALOG_NAMES, type CatalogName } from "./catalog-names.ts";

/**
 * Loads published catalogs, all of them unless some are named, into a registry of their own (RUN-180).
 * Throws if one does not load, naming it and its first diagnostic: the package is damaged then.
 */
export async function openPublishedCatalogs(
  names: readonly CatalogName[] = CATALOG_NAMES,
  options: LoadOptions = {},
): Promise<Registry> {
  const registry = await loadCatalogDirectory(names.map(catalogDirectory), options);
  const [broken] = registry.skipped;
  if (broken === undefined) return registry;
  const [first] = broken.diagnostics;
  const why = first === undefined ? "" : `: ${first.code} at ${first.file}: ${first.message}`;
  throw new Error(`The published catalog ${broken.entryId} does not load${why}`);
}
