import { openCatalog } from "@plasm/core";
import { type CatalogFromDocument, catalogFromOpenApi } from "@plasm/importers";
import { officialDocument, type OfficialDocument } from "../servers/github-document/index.ts";

/** GitHub's own document, as it publishes it but for what `officialDocument` corrects. */
export const wholeDocument = (): OfficialDocument => officialDocument().document;

/** What a catalog of GitHub's document, or of a part of it, comes to. */
export interface GithubCatalog extends CatalogFromDocument {
  readonly entities: readonly string[];
  /** what opening it has to say, as publishing does */
  readonly diagnostics: readonly string[];
}

/** Makes a catalog of the document and opens it. */
export async function githubFrom(document: OfficialDocument): Promise<GithubCatalog> {
  const texts = await catalogFromOpenApi(document, { entryId: "hub" });
  const { catalog, diagnostics } = openCatalog(
    {
      entryId: "hub",
      domain: { file: "domain.yaml", text: texts.domain },
      mappings: { file: "mappings.yaml", text: texts.mappings },
    },
    { strict: true },
  );
  return {
    ...texts,
    entities: [...(catalog?.cgs.entities.keys() ?? [])],
    diagnostics: diagnostics.map(({ code, message }) => `${code} ${message}`),
  };
}
