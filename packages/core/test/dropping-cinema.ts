import { openCatalog } from "../src/catalog/open/open-catalog.ts";
import type { Exposure } from "../src/symbols/exposure.ts";
import { catalogDocuments, type CatalogSpec } from "./build-catalog.ts";
import { exposureOf } from "./exposure-of.ts";

/** A path that no mapping may have (MAP-010): what has it is left out. */
export const BROKEN = { method: "GET", path: [{ type: "literal", value: "a?b" }] };

/** All of a catalog some parts of which cannot be loaded. */
export function partlyLoaded(spec: CatalogSpec): Exposure {
  const { domain, mappings } = catalogDocuments(spec);
  const { catalog, diagnostics } = openCatalog({
    entryId: "cinema",
    domain: { file: "domain.yaml", text: JSON.stringify(domain) },
    mappings: { file: "mappings.yaml", text: JSON.stringify(mappings) },
  });
  if (catalog === null) throw new Error(JSON.stringify(diagnostics, null, 2));
  return exposureOf([catalog]);
}
