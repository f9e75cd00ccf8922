import { type FixtureCatalogName, fixtureCatalogNames, readFixtureCatalog } from "@plasm/testkit";
import type { CatalogSet } from "../src/catalog/federation.ts";
import { loadCatalog } from "../src/catalog/load-catalog.ts";
import type { Catalog } from "../src/mapping/template.ts";

/** A fixture catalog of the test kit, loaded; throws with its diagnostics if it does not load. */
export function fixtureCatalog(name: FixtureCatalogName): Catalog {
  const { domain, mappings } = readFixtureCatalog(name);
  const loaded = loadCatalog({
    entryId: name,
    domain: { file: "domain.yaml", text: domain },
    mappings: { file: "mappings.yaml", text: mappings },
  });
  if (loaded.catalog === null) throw new Error(JSON.stringify(loaded.diagnostics, null, 2));
  return loaded.catalog;
}

/** Fixture catalogs by entry id: the named ones, or all. */
export function fixtureCatalogs(...names: readonly FixtureCatalogName[]): CatalogSet {
  const wanted = names.length === 0 ? fixtureCatalogNames : names;
  return new Map(wanted.map((name) => [name, fixtureCatalog(name)]));
}
