import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Catalog, openCatalog } from "@plasm/core";

/** The directory of the shipped catalog. */
export const CATALOG_DIRECTORY = join(import.meta.dirname, "../../../../catalogs/github-projects");

/** The shipped catalog, read from its files; throws with its diagnostics unless there are none. */
export function githubProjects(): Catalog {
  const read = (file: string) => ({
    file,
    text: readFileSync(join(CATALOG_DIRECTORY, file), "utf8"),
  });
  const { catalog, diagnostics } = openCatalog({
    entryId: "github-projects",
    domain: read("domain.yaml"),
    mappings: read("mappings.yaml"),
  });
  if (catalog === null || diagnostics.length > 0) {
    throw new Error(JSON.stringify(diagnostics, null, 2));
  }
  return catalog;
}
