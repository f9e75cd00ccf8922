import { readFileSync } from "node:fs";
import { join } from "node:path";
import { catalogDirectory } from "@plasm/catalogs";
import type { Catalog } from "@plasm/core";
import { type HttpTemplate, loadCatalog } from "@plasm/core/internal";

export const GITHUB = catalogDirectory("github");

/** The shipped catalog, read from its files; throws with its diagnostics if it does not load. */
export function githubCatalog(): Catalog {
  const read = (file: string) => ({ file, text: readFileSync(join(GITHUB, file), "utf8") });
  const { catalog, diagnostics } = loadCatalog({
    entryId: "github",
    domain: read("domain.yaml"),
    mappings: read("mappings.yaml"),
  });
  if (catalog === null) throw new Error(JSON.stringify(diagnostics, null, 2));
  return catalog;
}

/** Its capabilities that are requests, by name. */
export function httpTemplates(catalog: Catalog): ReadonlyMap<string, HttpTemplate> {
  const templates = new Map<string, HttpTemplate>();
  for (const [name, template] of catalog.cml) {
    if (template.transport === "http") templates.set(name, template);
  }
  return templates;
}
