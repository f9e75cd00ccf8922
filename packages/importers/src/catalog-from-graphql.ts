import type { CatalogFromDocument, FromOpenApiOptions } from "./catalog-from-open-api.ts";

/** What a line of a schema begins with that no YAML does. */
const SCHEMA_LINE =
  /^(?:extend\s+)?(?:schema\b(?!\s*:)[^{\n]*\{|(?:type|interface|input|enum)\s+\w+(?!\w|\s*:)[^{\n]*\{|(?:union|scalar|directive)\s+@?\w+)/m;
const INTROSPECTION = /^\s*\{\s*"(?:data"\s*:\s*\{\s*"__schema|__schema)"\s*:/;

/** Whether a text is a GraphQL schema: in its own language, or as the result of an introspection. */
export function isGraphql(text: string): boolean {
  const plain = text.replace(/^\uFEFF/, "");
  if (/^\s*[{[<]/.test(plain)) {
    if (INTROSPECTION.test(plain.slice(0, 1_000))) return true;
    // Another key may stand first, as `errors` or `extensions` do.
    return plain.slice(0, 100_000).includes('"__schema"') && !/"(?:openapi|swagger)"/.test(plain);
  }
  return SCHEMA_LINE.test(plain) && !/^["']?(?:openapi|swagger)["']?\s*:/m.test(plain);
}

/** The query that asks an endpoint for its whole schema. */
export async function introspectionQuery(): Promise<string> {
  const { getIntrospectionQuery } = await import("graphql");
  return getIntrospectionQuery();
}

/**
 * Makes a catalog of a GraphQL schema, an introspection result or its own language: the texts of its two files. `server`
 * is the address of the endpoint; `only` are beginnings of names of root fields, and names of types. Nothing is fetched;
 * the same schema gives the same texts. Throws OpenApiError for what cannot be read or has nothing to make a catalog of.
 */
export async function catalogFromGraphql(
  text: string,
  options: FromOpenApiOptions,
): Promise<CatalogFromDocument> {
  // Loaded on demand: the library is large, and documents of OpenAPI need nothing of it.
  const { graphqlCatalog } = await import("./graphql/graphql-catalog.ts");
  return graphqlCatalog(text, options);
}
