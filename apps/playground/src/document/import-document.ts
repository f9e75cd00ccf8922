import { catalogFromOpenApi, OpenApiError, parseOpenApi } from "@plasm/importers";
import { openPageEngine, type PageEngine } from "../engine/open-engine.ts";
import { mockApi } from "../mock/mock-api.ts";
import { isMap } from "../mock/operation-at.ts";

/** A document that has become a catalog, with an engine on a mock of its API. */
export interface ImportedDocument {
  readonly entryId: string;
  readonly title: string;
  readonly domain: string;
  readonly mappings: string;
  readonly operations: number;
  readonly reached: number;
  readonly left: readonly string[];
  readonly engine: PageEngine;
}

const slug = (text: string): string =>
  text
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "")
    .slice(0, 32)
    .replace(/-$/, "");

/** Imports a document of OpenAPI or Swagger, JSON or YAML (SURF-59). Throws OpenApiError for what is none. */
export async function importDocument(text: string): Promise<ImportedDocument> {
  const document = parseOpenApi(text);
  if (!isMap(document)) throw new OpenApiError("This is not an OpenAPI document: it is not a map.");
  const info = isMap(document["info"]) ? document["info"] : {};
  const title = typeof info["title"] === "string" ? info["title"] : "An API";
  const entryId = slug(title) || "api";
  // The checker of documents makes code as it goes, which the policy of this page forbids.
  const made = await catalogFromOpenApi(document, { entryId, validate: false });
  const { domain, mappings } = made;
  const api = mockApi(document);
  const engine = await openPageEngine([{ texts: { entryId, domain, mappings }, api }], api);
  return { ...made, entryId, title, engine };
}
