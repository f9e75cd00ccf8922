import type { CatalogDiagnostic } from "../reporter.ts";
import { loadCatalog, type LoadedCatalog } from "../load-catalog.ts";

/** Loads the text of a catalog whose files are named as usual. */
export function openText(
  domain: string,
  mappings: string | undefined,
  entryId = "parcels",
): { readonly catalog: LoadedCatalog["catalog"]; readonly found: readonly CatalogDiagnostic[] } {
  const loaded = loadCatalog({
    entryId,
    domain: { file: "domain.yaml", text: domain },
    ...(mappings === undefined ? {} : { mappings: { file: "mappings.yaml", text: mappings } }),
    functions: ["sign_body"],
  });
  return { catalog: loaded.catalog, found: loaded.diagnostics };
}
